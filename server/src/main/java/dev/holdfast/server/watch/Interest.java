package dev.holdfast.server.watch;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.event.WatchIndex;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Which events a watch is told of. Watches of one caller that want the same are served together. */
final class Interest {
    private final List<String> keys;
    private final byte[][] utf8;
    private final boolean prefix;
    private final boolean allEvents;

    /**
     * An interest in some keys.
     *
     * @param keys what they are called, or begin with; none of them covers another
     * @param prefix every key that begins so
     * @param allEvents waits as well, and not only what changes who holds a key
     */
    Interest(List<String> keys, boolean prefix, boolean allEvents) {
        this.keys = List.copyOf(keys);
        this.utf8 =
                keys.stream().map(key -> key.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
        this.prefix = prefix;
        this.allEvents = allEvents;
    }

    /** Whether the event is of a wanted kind and about a wanted key. */
    boolean wants(Event event) {
        if (wantsKind(event) && event instanceof Event.OfLocks ofLocks) {
            for (Hold hold : ofLocks.holds()) {
                if (wants(hold.key())) {
                    return true;
                }
            }
        }
        return false;
    }

    boolean wantsKind(Event event) {
        return allEvents || !KeyEvents.isOther(event);
    }

    boolean wants(LockKey key) {
        byte[] name = key.utf8();
        for (byte[] wanted : utf8) {
            int length = wanted.length;
            if ((prefix ? name.length >= length : name.length == length)
                    && Arrays.equals(name, 0, length, wanted, 0, length)) {
                return true;
            }
        }
        return false;
    }

    void addTo(WatchIndex<WatchGroup> index, WatchGroup group) {
        for (String key : keys) {
            if (prefix) {
                index.addPrefix(key, group);
            } else {
                index.addKey(key, group);
            }
        }
    }

    void removeFrom(WatchIndex<WatchGroup> index, WatchGroup group) {
        for (String key : keys) {
            if (prefix) {
                index.removePrefix(key, group);
            } else {
                index.removeKey(key, group);
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Interest interest
                && prefix == interest.prefix
                && allEvents == interest.allEvents
                && keys.equals(interest.keys);
    }

    @Override
    public int hashCode() {
        return 4 * keys.hashCode() + (prefix ? 2 : 0) + (allEvents ? 1 : 0);
    }
}
