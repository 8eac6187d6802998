package dev.holdfast.server.watch;

import dev.holdfast.core.Hold;
import dev.holdfast.core.event.Event;

/**
 * What a watch is for.
 *
 * @param prefix every key that starts with {@code key}
 * @param startRevision the first revision of interest; 0 for what comes from now on
 * @param startEpoch the epoch that revision belongs to; {@link #PRESENT_EPOCH} for whichever it is now
 */
public record WatchSpec(String key, boolean prefix, long startRevision, long startEpoch) {
    /** Not 0: that is the epoch of a cluster that was never restored. */
    public static final long PRESENT_EPOCH = -1;

    /** Whether the event is about a key of interest. */
    public boolean matches(Event event) {
        if (event instanceof Event.OfLocks ofLocks) {
            for (Hold hold : ofLocks.holds()) {
                if (matches(hold)) {
                    return true;
                }
            }
        }
        return false;
    }

    public boolean matches(Hold hold) {
        String name = hold.key().toString();
        return prefix ? name.startsWith(key) : name.equals(key);
    }
}
