package dev.holdfast.client.session;

import dev.holdfast.client.api.Loss;

/** Told of what happens to a session, for metrics. Must not wait. */
public interface SessionEvents {
    SessionEvents NONE = new SessionEvents() {};

    default void connected() {}

    default void acquired(long waitNanos) {}

    /** A lock could not be acquired in time. */
    default void timedOut() {}

    default void released(long heldNanos) {}

    default void lost(Loss loss) {}
}
