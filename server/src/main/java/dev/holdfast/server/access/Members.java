package dev.holdfast.server.access;

import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Tells which member of the cluster a connection comes from. */
public interface Members {
    /** Where nothing proves it: whoever says to be a member is believed. */
    Members UNPROVEN = session -> Optional.of("");

    /** Where there are no others. */
    Members NONE = session -> Optional.empty();

    /**
     * The member at the other end: empty if it is none, and an empty name if there is no telling.
     *
     * @param session of the connection, if it is encrypted
     */
    Optional<String> at(@Nullable SSLSession session);

    /** Whether the cluster counts it as a member now: a certificate outlives that. */
    default boolean isCurrent(String name) {
        return true;
    }
}
