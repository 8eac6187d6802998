package dev.holdfast.client.session;

import dev.holdfast.client.Loss;

/** Told of what happens to a session, for metrics. Must not wait. */
public interface SessionEvents {
    SessionEvents NONE = new SessionEvents() {};

    default void connected() {}

    default void released() {}

    default void lost(Loss loss) {}
}
