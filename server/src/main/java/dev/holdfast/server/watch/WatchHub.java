package dev.holdfast.server.watch;

import dev.holdfast.core.event.Event;
import dev.holdfast.core.event.WatchIndex;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.ReplicaListener;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Brings events to the watches of this node.
 *
 * <p>The thread that applies entries only hands over what happened. A loop of the hub's own finds out who wants it, and
 * puts it where their readers find it; if too much was handed over meanwhile, it looks into the machine's history, which
 * has the same events. Readers take what waits for them in {@link WatchTurns}, on the event loops of their streams.
 */
public final class WatchHub implements ReplicaListener, AutoCloseable {
    /** How long the loop rests after it has looked: waking it for each entry would cost more than what it does then. */
    private static final long REST_NANOS = 1_000_000;

    /** What is dropped at once, for then everybody is looked at. */
    private static final int DROPPED_PART = 8;

    private final LockReplica replica;
    private final WatchBounds bounds;
    private final ScheduledExecutorService loop;
    private final LongSupplier nanos;
    private final HandedOver handedOver;
    private final PastEvents past;
    private final WatchTurns turns;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final Map<String, CallerWatches> callers = new ConcurrentHashMap<>();

    // Of the loop, from here on.
    private final WatchIndex<WatchGroup> index = new WatchIndex<>();
    private final Set<WatchGroup> groups = new LinkedHashSet<>();
    private final FindingCosts costs;
    private long epoch;

    /** What is below was put where readers find it. */
    private volatile long next;

    /**
     * A hub without watches.
     *
     * @param loop a thread of its own, which ends with the hub
     * @param nanos by which the time is measured that readers take
     */
    public WatchHub(LockReplica replica, WatchBounds bounds, ScheduledExecutorService loop, LongSupplier nanos) {
        this.replica = replica;
        this.bounds = bounds;
        this.loop = loop;
        this.nanos = nanos;
        this.handedOver = new HandedOver(() -> execute(this::goOn));
        this.past = new PastEvents(replica);
        this.turns = new WatchTurns(loop, nanos, bounds.atOnce());
        this.costs = new FindingCosts(nanos);
    }

    /**
     * A stream that watches are to be read for; {@link #leave} follows.
     *
     * @param caller whose it is
     * @param stream where it is read
     * @param turn how
     */
    public WatchReader reader(String caller, Executor stream, WatchReader.Turn turn) {
        CallerWatches his = callers.compute(caller, (name, known) -> {
            CallerWatches found = known == null ? new CallerWatches(bounds, bytes) : known;
            found.streams++;
            return found;
        });
        return new WatchReader(this, caller, his, stream, turn);
    }

    /** A stream has ended, after its watches. */
    public void leave(WatchReader reader) {
        callers.computeIfPresent(reader.callerName(), (name, known) -> {
            known.streams--;
            return known;
        });
        execute(() -> forget(reader.callerName(), reader.caller()));
    }

    /**
     * Who has no stream any more is forgotten when its debt is paid, or it would be without one as soon as it is back. As
     * debts are time that was spent, there are few at a time.
     */
    private void forget(String name, CallerWatches caller) {
        long wait = caller.turns.paidInNanos(nanos.getAsLong());
        if (wait == 0) {
            callers.computeIfPresent(name, (same, known) -> known == caller && known.streams == 0 ? null : known);
        } else if (!caller.forgetting) {
            caller.forgetting = true;
            try {
                var unused = loop.schedule(
                        () -> {
                            caller.forgetting = false;
                            forget(name, caller);
                        },
                        wait,
                        TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                // The node has stopped: nobody is told any more.
            }
        }
    }

    /** How many callers are remembered. */
    int callers() {
        return callers.size();
    }

    /**
     * Starts a watch: its events come by {@link #read}.
     *
     * @param spec with its epoch
     * @param keys what its keys are called, or begin with: of those that its reader may see; none covers another
     * @param from the first revision it is told
     * @param news called on the reader's loop, in its turn, when there is something to read
     */
    public WatchFeed open(
            WatchReader reader, WatchSpec spec, List<String> keys, boolean allEvents, long from, Runnable news) {
        WatchFeed feed =
                new WatchFeed(reader, new Interest(keys, spec.prefix(), allEvents), spec.startEpoch(), from, news);
        open.incrementAndGet();
        reader.caller().open.incrementAndGet();
        synchronized (reader.caller()) {
            if (spec.startRevision() == 0) {
                joinSoon(feed);
            } else {
                reader.announce(feed);
            }
        }
        return feed;
    }

    /** The oldest revision that is known, if a watch that has not been read yet begins before it; otherwise empty. */
    public OptionalLong gone(WatchFeed feed) {
        PastEvents.Piece none = past.read(feed.nextRevision, feed.nextRevision);
        return none.epoch() != feed.epoch || none.oldest() > feed.nextRevision
                ? OptionalLong.of(none.oldest())
                : OptionalLong.empty();
    }

    public void close(WatchFeed feed) {
        boolean joined;
        synchronized (feed.reader.caller()) {
            if (feed.state == WatchFeed.State.CLOSED) {
                return;
            }
            joined = feed.group != null;
            feed.state = WatchFeed.State.CLOSED;
        }
        open.decrementAndGet();
        feed.reader.caller().open.decrementAndGet();
        if (joined) {
            execute(() -> leave(feed));
        }
    }

    /** How many watches are open. */
    public int watches() {
        return open.get();
    }

    /** About how many bytes of events wait for readers. */
    public int waitingBytes() {
        return (int) Math.min(Integer.MAX_VALUE, bytes.get());
    }

    /** The next events of a watch. By its reader, on its loop. */
    public WatchRead read(WatchFeed feed, int most) {
        CallerWatches caller = feed.reader.caller();
        long missing;
        synchronized (caller) {
            missing = switch (feed.state) {
                case CATCHING_UP -> Long.MAX_VALUE;
                case LIVE -> feed.liveFrom;
                case JOINING, CLOSED -> 0;
            };
            if (feed.nextRevision >= missing) {
                return caller.read(feed, most, next);
            }
        }
        return pull(feed, missing, most);
    }

    /** Reads the history up to a revision, on the reader's loop: nobody else moves the feed meanwhile. */
    private WatchRead pull(WatchFeed feed, long until, int most) {
        PastEvents.Piece piece = past.read(feed.nextRevision, until);
        if (piece.epoch() != feed.epoch || piece.oldest() > feed.nextRevision) {
            return new WatchRead.Compacted(piece.oldest());
        }
        if (feed.nextRevision > piece.revision() + 1) {
            return new WatchRead.Ahead(piece.revision());
        }
        PastEvents.Found found = piece.find(feed.interest, most);
        synchronized (feed.reader.caller()) {
            feed.nextRevision = found.next();
            boolean all = found.next() > piece.revision();
            if (all && feed.state == WatchFeed.State.CATCHING_UP) {
                joinSoon(feed);
            }
            // Once live there is always a look at what the hub has for it.
            boolean more = feed.state != WatchFeed.State.JOINING;
            return new WatchRead.Events(found.events(), found.next(), more);
        }
    }

    WatchTurns turns() {
        return turns;
    }

    private void joinSoon(WatchFeed feed) {
        feed.state = WatchFeed.State.JOINING;
        execute(() -> join(feed));
    }

    // What was applied -------------------------------------------------------------------------------

    @Override
    public void applied(AppliedEntry entry) {
        handedOver.add(replica.epoch(), entry.applied().events());
    }

    /** Watches go on from the new state's history, if it reaches back far enough. */
    @Override
    public void replaced(MachineView view, long appliedIndex) {
        handedOver.skipTo(view.revision());
    }

    // On the hub's loop ------------------------------------------------------------------------------

    private void join(WatchFeed feed) {
        try {
            advance();
        } finally {
            // Nobody else would take it in.
            admit(feed);
        }
    }

    private void admit(WatchFeed feed) {
        if (groups.isEmpty()) {
            epoch = feed.epoch;
            next = feed.nextRevision;
        }
        costs.begin();
        costs.count(feed.reader.caller(), 1);
        boolean live = goesLive(feed);
        settle();
        if (live) {
            advance();
        }
    }

    /** Whether it could be taken in. */
    private boolean goesLive(WatchFeed feed) {
        CallerWatches caller = feed.reader.caller();
        WatchGroup group = caller.group(feed.interest);
        boolean made = group == null;
        if (group == null) {
            group = new WatchGroup(caller, feed.interest);
        }
        synchronized (caller) {
            if (feed.state != WatchFeed.State.JOINING) {
                return false;
            }
            if (feed.epoch != epoch || caller.turns.owesTooMuch(nanos.getAsLong())) {
                feed.state = WatchFeed.State.CATCHING_UP;
                feed.reader.announce(feed);
                return false;
            }
            feed.state = WatchFeed.State.LIVE;
            feed.liveFrom = next;
            group.join(feed);
            if (feed.nextRevision < next) {
                group.idle(feed, false);
                feed.reader.announce(feed);
            }
        }
        if (made) {
            caller.add(group);
            groups.add(group);
            group.interest.addTo(index, group);
        }
        handedOver.wanted(true);
        return true;
    }

    private void leave(WatchFeed feed) {
        WatchGroup group;
        synchronized (feed.reader.caller()) {
            group = feed.group;
            if (group == null) {
                return;
            }
            group.leave(feed);
            if (!group.isEmpty()) {
                return;
            }
        }
        forget(group);
    }

    private void forget(WatchGroup group) {
        group.caller.remove(group);
        if (groups.remove(group)) {
            group.interest.removeFrom(index, group);
            handedOver.wanted(!groups.isEmpty());
        }
    }

    /** Takes what was handed over, and looks again after a rest. */
    private void goOn() {
        try {
            advance();
        } finally {
            // Whatever failed: nothing else looks again.
            rest();
        }
    }

    private void rest() {
        try {
            var unused = loop.schedule(this::lookAgain, REST_NANOS, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The node has stopped: nobody is told any more.
        }
    }

    private void lookAgain() {
        if (handedOver.hasMore()) {
            goOn();
        }
    }

    /**
     * Takes what was handed over. If that fails, some were given an event and others not: all look for it in the history.
     */
    private void advance() {
        try {
            costs.begin();
            take();
            settle();
        } catch (RuntimeException e) {
            lose();
            throw e;
        }
    }

    private void take() {
        long reached = handedOver.reached();
        for (HandedOver.Some some = handedOver.take(); some != null; some = handedOver.take()) {
            if (!groups.isEmpty()) {
                if (some.epoch() != epoch) {
                    lose();
                } else {
                    lookBack(some.first() - 1);
                    some.events().forEach(this::push);
                }
            }
        }
        if (!groups.isEmpty()) {
            if (replica.epoch() != epoch) {
                lose();
            }
            lookBack(reached);
        }
    }

    /** Takes from the history what was not handed over. */
    private void lookBack(long until) {
        while (next <= until && !groups.isEmpty()) {
            PastEvents.Piece piece = past.read(next, until + 1);
            if (piece.epoch() != epoch || piece.events().isEmpty()) {
                lose();
            } else {
                piece.events().forEach(this::push);
            }
        }
    }

    private void push(Event event) {
        if (event.revision() < next) {
            return;
        }
        int size = WatchGroup.bytes(event);
        costs.countEvent();
        index.match(event, group -> push(event, size, group));
        if (bytes.get() > bounds.nodeBytes()) {
            drop();
        }
        next = event.revision() + 1;
        if (costs.isDue()) {
            settle();
        }
    }

    /** One event may be for thousands of groups: in between, too, those who owe too much go. */
    private void push(Event event, int size, WatchGroup group) {
        if (!groups.contains(group)) {
            return;
        }
        costs.count(group.caller, group.interest.wantsKind(event) ? group.caller.push(group, event, size) : 1);
        if (costs.isDue()) {
            settle();
        }
    }

    /** Drops events, of whom most waits for, until there is room for some more. */
    private void drop() {
        long most = bounds.nodeBytes() - bounds.nodeBytes() / DROPPED_PART;
        PriorityQueue<Waiting> largest =
                new PriorityQueue<>(Comparator.comparingLong(Waiting::bytes).reversed());
        callers.values().forEach(caller -> largest.add(new Waiting(caller, caller.bytes())));
        for (Waiting one = largest.poll(); one != null && bytes.get() > most; one = largest.poll()) {
            costs.count(one.caller(), one.caller().drop());
            if (one.caller().bytes() > 0) {
                largest.add(new Waiting(one.caller(), one.caller().bytes()));
            }
        }
    }

    /** How much waited for a caller when it was looked at: readers make it less at any time. */
    private record Waiting(CallerWatches caller, long bytes) {}

    /**
     * Whoever has more time spent on finding its events than it may have finds them itself, in the history, when it has
     * time again.
     */
    private void settle() {
        for (var owing = costs.settle(); !owing.isEmpty(); owing = costs.settle()) {
            owing.forEach(caller -> end(caller.groups()));
        }
    }

    /** Events were lost here: whoever is live has to begin anew. */
    private void lose() {
        end(List.copyOf(groups));
    }

    private void end(List<WatchGroup> ended) {
        for (WatchGroup group : ended) {
            costs.count(group.caller, 1);
            synchronized (group.caller) {
                group.end(next);
            }
            forget(group);
        }
    }

    private void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The node has stopped: nobody is told any more.
        }
    }

    @Override
    public void close() {
        loop.shutdownNow();
    }
}
