package dev.holdfast.server.watch;

import dev.holdfast.protocol.Cursor;

/**
 * What a watch is for.
 *
 * @param prefix every key that starts with {@code key}
 * @param startRevision the first revision of interest; 0 for what comes from now on
 * @param startEpoch the epoch that revision belongs to; {@link #NO_EPOCH} if nobody said
 */
public record WatchSpec(String key, boolean prefix, long startRevision, long startEpoch) {
    /** Not 0: that is the epoch of a cluster that was never restored. */
    public static final long NO_EPOCH = -1;

    /** In place of a revision: what was given is no cursor. */
    public static final long UNREADABLE = Long.MIN_VALUE;

    /** A watch that goes on behind a cursor. */
    public static WatchSpec behind(String key, boolean prefix, Cursor cursor) {
        return new WatchSpec(key, prefix, cursor.next(), cursor.epoch());
    }

    /**
     * The same with its epoch. What comes from now on is of the present one; a revision without an epoch is of the
     * first, for in a later one it cannot be known what it means.
     */
    public WatchSpec withEpoch(long present) {
        long first = startEpoch == NO_EPOCH ? 0 : startEpoch;
        return new WatchSpec(key, prefix, startRevision, startRevision == 0 ? present : first);
    }
}
