package dev.holdfast.client.watch;

import dev.holdfast.protocol.Cursor;

/**
 * What somebody wants to watch.
 *
 * @param prefix every key that starts with {@code key}
 * @param from the first revision of interest; 0 for what comes from now on
 * @param epoch the epoch of that revision; {@link #NO_EPOCH} if nobody said
 * @param allEvents queueing and leaving, too
 * @param previous with the grant as it was before
 */
public record WatchOptions(String key, boolean prefix, long from, long epoch, boolean allEvents, boolean previous) {
    /** Not 0: that is the epoch of a cluster that was never restored. */
    public static final long NO_EPOCH = -1;

    public static WatchOptions of(String key) {
        return new WatchOptions(key, false, 0, NO_EPOCH, false, false);
    }

    public WatchOptions withPrefix() {
        return new WatchOptions(key, true, from, epoch, allEvents, previous);
    }

    public WatchOptions from(long revision) {
        return new WatchOptions(key, prefix, revision, NO_EPOCH, allEvents, previous);
    }

    /** From behind a cursor. */
    public WatchOptions from(Cursor cursor) {
        return new WatchOptions(key, prefix, cursor.next(), cursor.epoch(), allEvents, previous);
    }

    public WatchOptions withAllEvents() {
        return new WatchOptions(key, prefix, from, epoch, true, previous);
    }

    public WatchOptions withPrevious() {
        return new WatchOptions(key, prefix, from, epoch, allEvents, true);
    }
}
