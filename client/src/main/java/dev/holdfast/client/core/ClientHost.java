package dev.holdfast.client.core;

import dev.holdfast.client.session.SessionEvents;
import dev.holdfast.client.session.SessionSettings;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Where clients run that do not run on this process's clocks, threads and network: how tests bring time of their own. */
public interface ClientHost {
    /**
     * Makes a client's core.
     *
     * @param callbacks where users' code runs; null where the host likes
     */
    ClientCore open(SessionSettings settings, @Nullable Executor callbacks, SessionEvents events);

    /** The client is closed: its core is not needed any more. */
    void close(ClientCore core);
}
