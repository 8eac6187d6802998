package dev.holdfast.client.session;

import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.List;

/** Something that a session is used for: its leases, acquires, watches or calls. Told on the session's executor. */
public interface SessionPart {
    /** There is a new stream. Returns what has to be sent on it before everything else. */
    default List<Exchange> toRepeat() {
        return List.of();
    }

    /** The cluster sent something that is no answer; whichever part it concerns handles it. */
    default void pushed(ServerMessage message) {}

    /** The session's tasks have run, and what they submitted is about to be sent. */
    default void beforeSending() {}

    /** Whether a stream is needed though nothing is to be sent. */
    default boolean isListening() {
        return false;
    }

    /**
     * Time has passed: gives up what has taken too long.
     *
     * @param problem what keeps the cluster from answering, for people
     */
    default void look(long nowNanos, long patienceNanos, String problem) {}

    /** The cluster refuses this client as a whole. */
    void barred(Error error, HoldfastException refusal);

    /** The client is closed. */
    void close();
}
