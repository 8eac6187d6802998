package dev.holdfast.client.session;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Where sessions run that do not run on this process's clocks, threads and network: how tests bring time of their own. */
public interface SessionHost {
    /**
     * Makes a session.
     *
     * @param callbacks where users' code runs; null where the host likes
     */
    Session open(SessionSettings settings, @Nullable Executor callbacks, SessionEvents events);

    /** The client of a session is closed: it is not needed any more. */
    void close(Session session);
}
