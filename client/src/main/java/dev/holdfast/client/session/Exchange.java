package dev.holdfast.client.session;

import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ServerMessage;

/**
 * One message to the cluster and what its answer means.
 *
 * <p>It is sent again, under a new message id, until it is answered: on another stream if this one ends, or later if
 * the cluster cannot carry it out now. What it asks for must therefore be the same when it is asked twice.
 */
public interface Exchange {
    /** Writes the message as it is to be sent now. */
    void write(ClientMessage.Builder message);

    /**
     * The answer.
     *
     * @param sentNanos when the message was sent that is answered
     */
    void answered(ServerMessage answer, long sentNanos);

    /** It was refused for good. */
    void refused(Error error);

    /** Whether a refusal that is for good in general may pass in its case: then it is sent again later. */
    default boolean mayPass(Error error) {
        return false;
    }

    /**
     * Gives up if it has taken too long while the cluster cannot be reached.
     *
     * @param problem what keeps the cluster from answering, for people
     */
    default void giveUpIfOverdue(long nowNanos, long patienceNanos, String problem) {}

    /** Whether it still has to be sent: asked before each sending. */
    default boolean isWanted() {
        return true;
    }
}
