package dev.holdfast.server.watch;

import dev.holdfast.core.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * One watch: how far its reader has come.
 *
 * <pre>
 * CATCHING_UP --all of the history handed out--> JOINING --the hub took it in--> LIVE
 * LIVE --too much waits--> slow (its place was dropped);  LIVE --events were lost here--> compacted
 * CATCHING_UP, LIVE --the wanted revision is gone--> compacted;  any --its client leaves--> CLOSED
 * </pre>
 *
 * While it catches up, its reader pulls events out of the machine's history. Once live, it has a place in what its
 * {@link WatchGroup} keeps. A reader that does not keep up loses its watch, and learns where to resume.
 *
 * <p>Everything that changes is guarded by the monitor of its {@link CallerWatches}.
 */
public final class WatchFeed {
    final WatchReader reader;
    final Interest interest;
    final long epoch;

    /** Told on the reader's loop that there is something to read. */
    final Runnable news;

    State state = State.CATCHING_UP;

    /** Everything below was handed out. */
    long nextRevision;

    /** Once live: what is below has to be pulled from the history. */
    long liveFrom;

    @Nullable
    WatchGroup group;

    WatchGroup.@Nullable Place place;

    enum State {
        CATCHING_UP,
        JOINING,
        LIVE,
        CLOSED
    }

    WatchFeed(WatchReader reader, Interest interest, long epoch, long nextRevision, Runnable news) {
        this.reader = reader;
        this.interest = interest;
        this.epoch = epoch;
        this.nextRevision = nextRevision;
        this.news = news;
    }

    /** Whether it is about this key. */
    public boolean wants(LockKey key) {
        return interest.wants(key);
    }
}
