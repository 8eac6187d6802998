package dev.holdfast.server.propose;

import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.Role;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.server.fair.Excess;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.fair.Turns;
import dev.holdfast.server.replica.Entry;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.ReplicaListener;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import dev.holdfast.server.request.Reach;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.RequestFailure.Reason;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Requests.Renewed;
import dev.holdfast.server.request.Stamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gathers requests into entries and proposes them while this node leads: what arrives while an entry is on its way
 * shares the next one.
 *
 * <p>Three threads meet here. Edges add work from any thread. One thread calls {@link #step}, and only that one
 * proposes, so entries are in the order in which the work of a flow arrived, and the stamp of an entry is read after
 * its last command is in. The apply thread completes what waited for the entry.
 *
 * <p>A batch that was proposed ends in one of three ways: its entry is applied here and gives the answers; the log
 * says that it was not appended, or an entry of a later term is applied, and nothing was done; or patience runs out
 * and the callers learn that the outcome is unknown.
 */
public final class Batcher implements Requests, ReplicaListener {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The longest pause between two steps: the clock must be read well within its longest step. */
    private static final long LONGEST_PAUSE_NANOS = 100 * NANOS_PER_MILLI;

    /** How often in the time that a request may wait it is looked who has waited too long. */
    private static final int LOOKS_PER_PATIENCE = 16;

    private final ReplicatedLog log;
    private final LockReplica replica;
    private final Reach reach;
    private final BatchSettings settings;
    private final long proposer;
    private final Ticks ticks;
    private final Runnable wake;
    private final Metrics metrics;
    private final WorkQueue queue;

    /** What a thread submits in {@link #together}: woken by the first, the proposing thread would leave with it alone. */
    @SuppressWarnings("ThreadLocalUsage") // not static: the nodes of one process may share a thread
    private final ThreadLocal<@Nullable List<Work>> gathered = new ThreadLocal<>();

    /** Of the proposing thread alone. */
    private final Turns<Work> ready = new Turns<>();

    private final Renewals renewals;
    private long taken;
    private long nextNumber = 1;
    private long lastStampMillis = -1;
    private long lastProposedNanos;
    private long lastPatienceNanos;
    private long lastStepNanos;
    private long graceNanos;
    private boolean lastHadContent;

    /** How many steps were taken. */
    private volatile long steps;

    private final Object monitor = new Object();
    private final ArrayDeque<InFlight> inFlight = new ArrayDeque<>();
    private @Nullable ClusterClock clock;
    private boolean announce;

    /** Counts what the batcher does. */
    public interface Metrics {
        Metrics NONE = new Metrics() {
            @Override
            public void proposed(int commands, int renewals) {}

            @Override
            public void applied(long nanosSinceProposed) {}
        };

        void proposed(int commands, int renewals);

        void applied(long nanosSinceProposed);
    }

    /** Where time comes from: a monotonic clock that decides, and a wall clock that people read. */
    public record Ticks(LongSupplier nanos, LongSupplier wallMillis) {
        public static final Ticks SYSTEM = new Ticks(System::nanoTime, System::currentTimeMillis);
    }

    /**
     * A batcher that waits for its node to lead.
     *
     * @param proposer a number no other process proposes under
     * @param wake makes the proposing thread call {@link #step} soon; from any thread
     */
    public Batcher(
            ReplicatedLog log,
            LockReplica replica,
            Reach reach,
            BatchSettings settings,
            long proposer,
            Ticks ticks,
            Runnable wake,
            Metrics metrics) {
        this.log = log;
        this.replica = replica;
        this.reach = reach;
        this.settings = settings;
        this.proposer = proposer;
        this.ticks = ticks;
        this.lastStepNanos = ticks.nanos().getAsLong();
        this.graceNanos = lastStepNanos;
        this.wake = wake;
        this.metrics = metrics;
        this.queue = new WorkQueue(settings.mostQueued(), settings.mostQueuedBytes());
        this.renewals = new Renewals(replica, settings.longestRenewalWait().toNanos(), settings.mostRenewals());
    }

    @Override
    public CompletableFuture<Answer> submit(Flow flow, Command command) {
        Work.Order order = new Work.Order(flow, command, ticks.nanos().getAsLong());
        order.unwritable()
                .ifPresentOrElse(
                        problem -> order.fail(RequestFailure.notDone(Reason.INVALID, problem)), () -> add(order));
        return order.answer();
    }

    @Override
    public CompletableFuture<Renewed> renew(Flow flow, String principal, long[] leases) {
        Work.Renewal renewal =
                new Work.Renewal(flow, principal, leases, ticks.nanos().getAsLong(), new CompletableFuture<>());
        add(renewal);
        return renewal.answer();
    }

    @Override
    public CompletableFuture<Stamp> barrier(Flow flow) {
        Work.Barrier barrier = new Work.Barrier(flow, ticks.nanos().getAsLong(), new CompletableFuture<>());
        add(barrier);
        return barrier.answer();
    }

    @Override
    public <T> T together(Supplier<T> submissions) {
        if (gathered.get() != null) {
            return submissions.get();
        }
        List<Work> works = new ArrayList<>();
        gathered.set(works);
        try {
            return submissions.get();
        } finally {
            gathered.remove();
            if (!works.isEmpty()) {
                add(works);
            }
        }
    }

    private void add(Work work) {
        List<Work> works = gathered.get();
        if (works == null) {
            add(List.of(work));
        } else {
            works.add(work);
        }
    }

    private void add(List<Work> works) {
        queue.add(works);
        boolean waitsForAnEntry;
        synchronized (monitor) {
            waitsForAnEntry = clock != null && flying(clock) >= settings.mostInFlight();
        }
        // While an entry is on its way, its end wakes.
        if (!waitsForAnEntry) {
            wake.run();
        }
    }

    /** Work that waits to be proposed. */
    public int queued() {
        return queue.size();
    }

    /** How many steps the proposing thread has taken: it takes one every 100 ms at least. */
    public long steps() {
        return steps;
    }

    /** Refuses new work; what is here already is still proposed. */
    public void close() {
        queue.close();
        wake.run();
    }

    /** Whether nothing waits and nothing is on its way. */
    public boolean isIdle() {
        synchronized (monitor) {
            return inFlight.isEmpty() && queue.size() == 0;
        }
    }

    /** Starts the term's clock, or throws it away. From any thread, in the order of the changes. */
    public void roleChanged(Role role) {
        synchronized (monitor) {
            boolean leads = role instanceof Role.Leading;
            clock = leads
                    ? new ClusterClock(role.term(), replica.now(), ticks.nanos().getAsLong())
                    : null;
            announce = leads;
        }
        wake.run();
    }

    /**
     * Proposes what may be proposed. By one thread only.
     *
     * @return how many nanoseconds may pass before the next call, unless {@code wake} comes first
     */
    public long step() {
        // Before looking whether this node leads: what arrived after it became leader must not be refused for want of
        // one.
        steps = ++taken;
        takeArrivals();
        ClusterClock leading;
        int flying;
        synchronized (monitor) {
            leading = clock;
            flying = leading == null ? 0 : flying(leading);
        }
        // After it: a term's clock must not count time from before its term.
        long nanos = ticks.nanos().getAsLong();
        failImpatient(nanos);
        if (leading == null) {
            failAll(RequestFailure.notDone(Reason.NO_LEADER, noLeader()));
            return LONGEST_PAUSE_NANOS;
        }
        long clusterTime = leading.read(nanos);
        while (flying < settings.mostInFlight() && isWorthAnEntry(nanos, clusterTime, flying)) {
            if (!propose(leading)) {
                return LONGEST_PAUSE_NANOS;
            }
            flying++;
        }
        return pause(nanos, clusterTime, flying);
    }

    /**
     * Entries of this term on their way. One of an older term may have been lost with it, and nobody says so before an
     * entry of this term is applied: to wait for it would be to wait for ever.
     */
    private int flying(ClusterClock leading) {
        int flying = 0;
        for (InFlight flight : inFlight) {
            flying += flight.term() == leading.term() ? 1 : 0;
        }
        return flying;
    }

    private void takeArrivals() {
        for (Work work : queue.take()) {
            if (work instanceof Work.Renewal renewal) {
                renewals.add(renewal);
            } else {
                ready.add(work.flow(), work.bytes(), work);
            }
        }
        renewals.look();
    }

    private boolean isWorthAnEntry(long nanos, long clusterTime, int flying) {
        if (!ready.isEmpty() || renewals.nanosLeft(nanos) <= 0) {
            return true;
        }
        synchronized (monitor) {
            if (announce) {
                return true;
            }
        }
        long deadline = replica.nextDeadlineMillis();
        boolean due = deadline <= clusterTime && (flying == 0 || lastStampMillis < deadline);
        return due || (flying == 0 && isStampDue(nanos, deadline));
    }

    /** Whether the others should hear of the time, or of the commit of what was last proposed. */
    private boolean isStampDue(long nanos, long deadline) {
        return (deadline != Long.MAX_VALUE || lastHadContent)
                && nanos - lastProposedNanos >= settings.idleStamp().toNanos();
    }

    private boolean propose(ClusterClock leading) {
        List<Work.Order> orders = new ArrayList<>();
        List<Work.Barrier> barriers = new ArrayList<>();
        List<Command> commands = new ArrayList<>();
        int bytes = 0;
        long share = share();
        for (Work work = ready.poll(); work != null; work = next(orders.size(), bytes, share)) {
            queue.left(work);
            bytes += work.bytes();
            switch (work.kind()) {
                case ORDER -> {
                    Work.Order order = (Work.Order) work;
                    orders.add(order);
                    commands.add(order.command());
                }
                case BARRIER -> barriers.add((Work.Barrier) work);
                case RENEWAL -> throw new IllegalStateException("a renewal among what is proposed at once");
            }
        }
        List<Work.Renewal> renewed = new ArrayList<>();
        List<boolean[]> included = new ArrayList<>();
        long[] leases = renewals.drain(renewed, included);
        renewed.forEach(queue::left);

        long nanos = ticks.nanos().getAsLong();
        long clusterTime = leading.read(nanos);
        Batch batch = new Batch(leading.term(), clusterTime, ticks.wallMillis().getAsLong(), leases, commands);
        InFlight flight =
                new InFlight(nextNumber++, leading.term(), clusterTime, nanos, orders, renewed, included, barriers);
        synchronized (monitor) {
            inFlight.add(flight);
            announce &= clock != leading;
        }
        lastProposedNanos = nanos;
        lastStampMillis = clusterTime;
        lastHadContent = !commands.isEmpty();
        metrics.proposed(commands.size(), leases.length);
        CompletableFuture<Outcome> outcome =
                log.propose(leading.term(), new Entry(proposer, flight.number(), batch).encode());
        if (outcome.isDone() && outcome.join() instanceof Outcome.NotAppended refused) {
            // What is behind a refused batch is refused, too: it must not overtake.
            failAll(refused(flight, refused));
            return false;
        }
        CompletableFuture<Void> watched = outcome.thenAccept(ended -> {
            if (ended instanceof Outcome.NotAppended refused) {
                refused(flight, refused);
            }
        });
        return !watched.isCompletedExceptionally();
    }

    /**
     * How many bytes an entry takes: a turn of everybody who waits. Whoever comes next waits for the whole of it, so
     * it is little while few wait, however much they want.
     */
    private long share() {
        return Math.min(settings.mostBytes(), Math.max(settings.fewBytes(), ready.round()));
    }

    private @Nullable Work next(int orders, int bytes, long share) {
        return orders < settings.mostCommands() && bytes < share ? ready.poll() : null;
    }

    private RequestFailure refused(InFlight flight, Outcome.NotAppended refused) {
        RequestFailure failure =
                RequestFailure.notDone(Reason.NO_LEADER, "not replicated: " + refused.reason() + "; " + noLeader());
        boolean waited;
        synchronized (monitor) {
            waited = inFlight.remove(flight);
        }
        if (waited) {
            flight.fail(failure);
            wake.run();
        }
        return failure;
    }

    private void failImpatient(long nanos) {
        long patience = settings.patience().toNanos();
        // After a standstill: what waited through it may go out now, and what was on its way may have been answered.
        if (nanos - lastStepNanos > patience / 2) {
            graceNanos = nanos + patience / LOOKS_PER_PATIENCE;
        }
        lastStepNanos = nanos;
        if (nanos - graceNanos < 0) {
            return;
        }
        if (nanos - lastPatienceNanos >= patience / LOOKS_PER_PATIENCE) {
            lastPatienceNanos = nanos;
            failLines(nanos, patience);
        }
        List<InFlight> late = new ArrayList<>();
        synchronized (monitor) {
            for (InFlight flight : inFlight) {
                if (nanos - flight.proposedNanos() > patience) {
                    late.add(flight);
                }
            }
        }
        if (!late.isEmpty()) {
            RequestFailure failure = RequestFailure.unknown(
                    Reason.NO_QUORUM, "no majority answered, so the outcome is unknown: " + reach.describe());
            late.forEach(flight -> flight.fail(failure));
        }
    }

    /** Fails whole lines: what is behind something that failed must not overtake it. */
    private void failLines(long nanos, long patience) {
        List<Work> late = ready.clearLines(first -> nanos - first.arrivedNanos() > patience);
        if (late.isEmpty()) {
            return;
        }
        boolean stuck;
        synchronized (monitor) {
            InFlight oldest = inFlight.peek();
            stuck = oldest != null && nanos - oldest.proposedNanos() > patience / 2;
        }
        if (stuck) {
            RequestFailure failure =
                    RequestFailure.notDone(Reason.NO_QUORUM, "no majority answers: " + reach.describe());
            fail(late, failure);
            failAll(failure);
        } else {
            long waited = nanos - late.get(0).arrivedNanos();
            fail(
                    late,
                    RequestFailure.overloaded(new Excess(
                            "queue.millis",
                            settings.patience().toMillis(),
                            waited / NANOS_PER_MILLI + 1,
                            "too much of this caller waits to be replicated: it was not its turn within "
                                    + settings.patience().toMillis() + " ms")));
        }
    }

    private void failAll(RequestFailure failure) {
        fail(ready.clear(), failure);
        fail(renewals.clear(), failure);
    }

    private void fail(List<? extends Work> works, RequestFailure failure) {
        works.forEach(queue::left);
        works.forEach(work -> work.fail(failure));
    }

    private String noLeader() {
        return reach.leaderAddress()
                .map(address -> "this node does not lead; the leader is at " + address)
                .orElseGet(() -> "no leader is known: " + reach.describe());
    }

    private long pause(long nanos, long clusterTime, int flying) {
        long pause = LONGEST_PAUSE_NANOS;
        if (flying < settings.mostInFlight()) {
            pause = Math.min(pause, renewals.nanosLeft(nanos));
            long deadline = replica.nextDeadlineMillis();
            if (deadline != Long.MAX_VALUE) {
                pause = Math.min(pause, Math.max(1, deadline - clusterTime) * NANOS_PER_MILLI);
            }
        }
        return Math.max(pause, 0);
    }

    @Override
    public void applied(AppliedEntry entry) {
        List<InFlight> lost = new ArrayList<>(0);
        InFlight mine = null;
        synchronized (monitor) {
            for (InFlight head = inFlight.peek(); head != null && mine == null; head = inFlight.peek()) {
                boolean ours = entry.proposer() == proposer;
                if (ours && head.number() == entry.number()) {
                    mine = inFlight.remove();
                } else if ((ours && head.number() < entry.number()) || entry.term() > head.term()) {
                    // The log keeps our order, and terms only grow in it: this batch is not in it and never will be.
                    lost.add(inFlight.remove());
                } else {
                    break;
                }
            }
        }
        if (!lost.isEmpty()) {
            RequestFailure failure = RequestFailure.notDone(
                    Reason.NO_LEADER, "lost with a change of leader, nothing was done; " + noLeader());
            lost.forEach(flight -> flight.fail(failure));
        }
        if (mine != null) {
            metrics.applied(ticks.nanos().getAsLong() - mine.proposedNanos());
            mine.complete(entry);
            wake.run();
        }
    }
}
