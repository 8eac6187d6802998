package dev.holdfast.server.watch;

import dev.holdfast.core.event.Event;
import dev.holdfast.core.event.WatchIndex;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.ReplicaListener;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Brings events to the watches of this node.
 *
 * <p>Everything here happens while the machine stands still: in its apply thread, or in a question to it. So a watch
 * goes from the history to live events without a gap and without a repetition.
 */
public final class WatchHub implements ReplicaListener {
    /** How many events of the history one turn looks at. */
    private static final int CATCH_UP_STEP = 2_000;

    private final LockReplica replica;
    private final int capacity;
    private final WatchIndex<WatchFeed> index = new WatchIndex<>();
    private final Set<WatchFeed> live = new LinkedHashSet<>();
    private long lastRevision;
    private volatile int liveCount;

    /** What reading a watch gave. */
    public sealed interface Read {
        /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
        Kind kind();

        /** Every kind of reading. */
        enum Kind {
            EVENTS,
            AHEAD,
            COMPACTED,
            SLOW
        }

        /** Events, perhaps none for now, in revision order; everything below {@code resumeRevision} is delivered. */
        record Events(List<Event> events, long resumeRevision, boolean more) implements Read {
            @Override
            public Kind kind() {
                return Kind.EVENTS;
            }
        }

        /** This node has not come to the start of the watch yet. */
        record Ahead(long revision) implements Read {
            @Override
            public Kind kind() {
                return Kind.AHEAD;
            }
        }

        /** Older revisions than this are gone. */
        record Compacted(long oldestRevision) implements Read {
            @Override
            public Kind kind() {
                return Kind.COMPACTED;
            }
        }

        /** The reader did not keep up. */
        record Slow(long resumeRevision) implements Read {
            @Override
            public Kind kind() {
                return Kind.SLOW;
            }
        }
    }

    /**
     * A hub without watches.
     *
     * @param capacity how many events may wait for one reader
     */
    public WatchHub(LockReplica replica, int capacity) {
        this.replica = replica;
        this.capacity = capacity;
    }

    /** Starts a watch; its events come by {@link #read}, first when this returns, then whenever it is told. */
    public WatchFeed open(WatchSpec spec, Runnable readable) {
        WatchFeed feed = new WatchFeed(spec, capacity, readable);
        if (spec.startRevision() == 0) {
            replica.ask(view -> {
                goLive(feed, view);
                return feed;
            });
        }
        return feed;
    }

    public void close(WatchFeed feed) {
        replica.ask(view -> {
            leave(feed);
            feed.state(WatchFeed.State.CLOSED, feed.nextRevision());
            return feed;
        });
    }

    /** Watches that get events as they happen. */
    public int watches() {
        return liveCount;
    }

    /** The next events of a watch. By one reader at a time. */
    public Read read(WatchFeed feed, int most) {
        List<Event> drained = feed.drain(most);
        if (!drained.isEmpty()) {
            return new Read.Events(drained, drained.get(drained.size() - 1).revision() + 1, true);
        }
        return replica.ask(view -> readMore(feed, view, most));
    }

    private Read readMore(WatchFeed feed, MachineView view, int most) {
        if (!feed.isDrained()) {
            List<Event> drained = feed.drain(most);
            return new Read.Events(drained, drained.get(drained.size() - 1).revision() + 1, true);
        }
        return switch (feed.state()) {
            case LIVE -> new Read.Events(List.of(), view.revision() + 1, false);
            case SLOW -> new Read.Slow(feed.nextRevision());
            case CATCHING_UP -> catchUp(feed, view, most);
            case COMPACTED, CLOSED -> new Read.Compacted(view.oldestRevision());
        };
    }

    private Read catchUp(WatchFeed feed, MachineView view, int most) {
        long revision = view.revision();
        if (feed.nextRevision() < view.oldestRevision() || feed.spec().startEpoch() != view.epoch()) {
            feed.state(WatchFeed.State.COMPACTED, view.oldestRevision());
            return new Read.Compacted(view.oldestRevision());
        }
        if (feed.nextRevision() > revision + 1) {
            return new Read.Ahead(revision);
        }
        List<Event> found = new ArrayList<>();
        long next = feed.nextRevision();
        long end = Math.min(revision, next + CATCH_UP_STEP - 1);
        while (next <= end && found.size() < most) {
            Event event = view.event(next++);
            if (feed.spec().matches(event)) {
                found.add(event);
            }
        }
        if (next > revision) {
            goLive(feed, view);
        } else {
            feed.state(WatchFeed.State.CATCHING_UP, next);
        }
        return new Read.Events(found, next, next <= revision);
    }

    private void goLive(WatchFeed feed, MachineView view) {
        WatchSpec spec = feed.spec();
        if (spec.prefix()) {
            index.addPrefix(spec.key(), feed);
        } else {
            index.addKey(spec.key(), feed);
        }
        live.add(feed);
        liveCount = live.size();
        lastRevision = view.revision();
        feed.state(WatchFeed.State.LIVE, lastRevision + 1);
    }

    private void leave(WatchFeed feed) {
        if (live.remove(feed)) {
            WatchSpec spec = feed.spec();
            if (spec.prefix()) {
                index.removePrefix(spec.key(), feed);
            } else {
                index.removeKey(spec.key(), feed);
            }
            liveCount = live.size();
        }
    }

    @Override
    public void applied(AppliedEntry entry) {
        lastRevision = entry.applied().revision();
        if (live.isEmpty()) {
            return;
        }
        List<WatchFeed> slow = new ArrayList<>(0);
        for (Event event : entry.applied().events()) {
            index.match(event, feed -> {
                if (!feed.push(event)) {
                    slow.add(feed);
                }
            });
            slow.forEach(this::leave);
            slow.clear();
        }
    }

    /** Live watches go on from the new state's history, if it reaches back far enough. */
    @Override
    public void replaced(MachineView view, long appliedIndex) {
        long next = lastRevision + 1;
        for (WatchFeed feed : List.copyOf(live)) {
            leave(feed);
            feed.state(WatchFeed.State.CATCHING_UP, next);
            feed.signal();
        }
        lastRevision = view.revision();
    }
}
