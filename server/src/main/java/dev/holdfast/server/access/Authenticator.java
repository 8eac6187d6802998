package dev.holdfast.server.access;

import dev.holdfast.server.request.Rejected;
import org.jspecify.annotations.Nullable;

/** Finds out who calls. Never waits. */
@FunctionalInterface
public interface Authenticator {
    /**
     * Who presents this.
     *
     * @param authorization the header of that name, if there is one
     * @throws Rejected {@code UNAUTHENTICATED} if it proves nobody
     */
    Principal authenticate(@Nullable String authorization);
}
