package dev.holdfast.client.session;

import dev.holdfast.client.HoldfastException;
import dev.holdfast.protocol.v1.WatchResponse;
import java.util.List;

/** The watches of a session. */
public final class Watching {
    Watching() {}

    List<Exchange> toRepeat() {
        return List.of();
    }

    void received(WatchResponse response) {}

    boolean isOpen() {
        return false;
    }

    void close() {}

    void fail(HoldfastException failure) {}
}
