package dev.holdfast.simulator.log;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.Role;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.simulator.world.SimulatedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One node's part in a small consensus, which follows Raft's rules without its refinements.
 *
 * <pre>
 * FOLLOWER --silence--> CANDIDATE --votes of a majority--> LEADER --silence of a majority, a higher term--> FOLLOWER
 *                                                          LEADER --a disk that stands still--------------> FOLLOWER
 * </pre>
 *
 * What it tells others of its term, its vote and its entries it has flushed before.
 */
public final class SimulatedLog implements ReplicatedLog {
    private static final long MILLI = 1_000_000;
    private static final int MILLION = 1_000_000;
    private static final long HEARTBEAT_NANOS = 100 * MILLI;
    private static final long SHORTEST_ELECTION_NANOS = 500 * MILLI;
    private static final long ELECTION_SPREAD_NANOS = 700 * MILLI;
    private static final long LONGEST_STALL_NANOS = 3_000 * MILLI;

    private final SimulatedProcess process;
    private final Disk disk;
    private final LogPeers peers;
    private final Replica replica;
    private final LogFaults faults;
    private final RandomGenerator chance;
    private final Applying applying;
    private final Set<String> votes = new HashSet<>();
    private final List<Runnable> afterVote = new ArrayList<>();
    private State state = State.FOLLOWER;
    private @Nullable String leader;
    private @Nullable Leadership leadership;
    private long heardNanos;
    private long patienceNanos;
    private long matched = -1;
    private long told = -1;
    private long installing = -1;
    private boolean led;

    private enum State {
        FOLLOWER,
        CANDIDATE,
        LEADER
    }

    public SimulatedLog(SimulatedProcess process, Disk disk, LogPeers peers, Replica replica, LogFaults faults) {
        this.process = process;
        this.disk = disk;
        this.peers = peers;
        this.replica = replica;
        this.faults = faults;
        this.chance = process.world().chance();
        this.applying = new Applying(process, disk, peers, replica, faults.snapshotAfter(), this::applied);
    }

    /** The node of a name, which is its address as well. */
    public static Member member(String name) {
        return new Member(id(name), name, name, Member.Part.VOTER);
    }

    private static NodeId id(String name) {
        return new NodeId(name, new UUID(0, name.hashCode()));
    }

    @Override
    public void start() throws IOException {
        disk.open(
                () -> process.arrive(0, this::flushed),
                () -> replica.failed("a flush of " + process.name() + " failed", new DiskFailure()));
        applying.start();
        heard();
        follow(null);
        look();
    }

    // The disk ---------------------------------------------------------------------------------------

    /** Does something as soon as term and vote cannot be forgotten any more. */
    private void whenVoteIsFlushed(Runnable then) {
        if (disk.votes().isFlushed()) {
            then.run();
        } else {
            afterVote.add(then);
        }
    }

    private void flushed() {
        if (disk.votes().isFlushed() && !afterVote.isEmpty()) {
            List<Runnable> due = List.copyOf(afterVote);
            afterVote.clear();
            due.forEach(Runnable::run);
        }
        if (leadership != null) {
            leadership.advance();
        } else if (leader != null && Math.min(matched, disk.log().flushed()) > told) {
            answer(leader, true, matched);
        }
    }

    // Elections --------------------------------------------------------------------------------------

    private void heard() {
        heardNanos = process.nanos();
        patienceNanos = SHORTEST_ELECTION_NANOS + chance.nextLong(ELECTION_SPREAD_NANOS);
    }

    /** Looks now and then whether somebody leads. */
    private void look() {
        if (leadership != null) {
            lead(leadership);
        } else if (process.nanos() - heardNanos > patienceNanos) {
            campaign();
        }
        var unused = process.schedule(HEARTBEAT_NANOS, this::look);
    }

    private void lead(Leadership leading) {
        boolean silence =
                leading.silent(2 * SHORTEST_ELECTION_NANOS) > peers.names().size() / 2;
        if (silence && chance.nextInt(4) == 0) {
            follow(null);
        } else if (disk.log().waitingNanos() > SHORTEST_ELECTION_NANOS
                && peers.names().size() > 1) {
            // Those who follow hear of it and are content, while nothing that it appends is its own to count on.
            process.world().note(process.name(), () -> "hands on the lead, for its disk stands still");
            leading.successor().ifPresent(next -> peers.send(process.name(), next, SimulatedLog::campaign));
            heard();
            follow(null);
        } else {
            leading.beat();
        }
    }

    /** Stands for election at once. */
    public void campaign() {
        heard();
        stopLeading();
        state = State.CANDIDATE;
        disk.vote(disk.term() + 1, process.name());
        votes.clear();
        long term = disk.term();
        process.world().note(process.name(), () -> "stands for term " + term);
        whenVoteIsFlushed(() -> {
            if (state == State.CANDIDATE && disk.term() == term) {
                askForVotes(term);
            }
        });
    }

    private void askForVotes(long term) {
        votes.add(process.name());
        long lastIndex = disk.log().lastIndex();
        long lastTerm = disk.log().termAt(lastIndex);
        for (String peer : others()) {
            peers.send(process.name(), peer, log -> log.asked(process.name(), term, lastIndex, lastTerm));
        }
        winIfElected();
    }

    private List<String> others() {
        return peers.names().stream()
                .filter(name -> !name.equals(process.name()))
                .toList();
    }

    private void asked(String candidate, long term, long lastIndex, long lastTerm) {
        if (term > disk.term()) {
            enter(term);
        }
        long myTerm = disk.log().termAt(disk.log().lastIndex());
        boolean asGood = lastTerm > myTerm
                || (lastTerm == myTerm && lastIndex >= disk.log().lastIndex());
        String before = disk.votes().forWhom();
        boolean mine = term == disk.term() && asGood && (before == null || candidate.equals(before));
        if (mine) {
            disk.vote(term, candidate);
            heard();
        }
        long current = disk.term();
        whenVoteIsFlushed(() -> peers.send(process.name(), candidate, log -> log.voted(process.name(), current, mine)));
    }

    /** Follows nobody, in a term that others have come to. */
    private void enter(long term) {
        disk.vote(term, null);
        follow(null);
    }

    private void voted(String voter, long term, boolean mine) {
        if (term > disk.term()) {
            enter(term);
        } else if (mine && state == State.CANDIDATE && term == disk.term()) {
            votes.add(voter); // a vote that arrives twice is one
            winIfElected();
        }
    }

    private void winIfElected() {
        if (state == State.CANDIDATE && votes.size() > peers.names().size() / 2) {
            process.world().note(process.name(), () -> "leads term " + disk.term());
            state = State.LEADER;
            leader = process.name();
            led = false;
            Leadership won = new Leadership(process, disk, peers, applying, others());
            leadership = won;
            won.advance();
            won.beat();
        }
    }

    private void stopLeading() {
        if (leadership != null) {
            leadership.end();
            leadership = null;
        }
    }

    private void follow(@Nullable String newLeader) {
        boolean changed = state != State.FOLLOWER || newLeader == null || !newLeader.equals(leader);
        stopLeading();
        state = State.FOLLOWER;
        leader = newLeader;
        matched = -1;
        told = -1;
        led = false;
        applying.giveUp();
        if (changed) {
            replica.roleChanged(new Role.Following(
                    disk.term(), Optional.ofNullable(newLeader).map(SimulatedLog::id)));
        }
    }

    // Replication ------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<Outcome> propose(long term, byte[] entry) {
        long proposedNanos = process.world().now();
        if (chance.nextInt(MILLION) < faults.stalled()) {
            process.world().note(process.name(), () -> "the proposing thread stalls");
            process.world().run(chance.nextLong(LONGEST_STALL_NANOS));
        }
        if (!process.isAlive()) {
            return CompletableFuture.completedFuture(new Outcome.Unknown("the node is dead"));
        }
        Leadership leading = leadership;
        if (leading == null || disk.term() != term || !led) {
            return CompletableFuture.completedFuture(new Outcome.NotAppended("does not lead in term " + term));
        }
        if (chance.nextInt(MILLION) < faults.refused()) {
            return CompletableFuture.completedFuture(new Outcome.NotAppended("too busy"));
        }
        disk.log().append(new Stored(term, entry, proposedNanos));
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        if (chance.nextInt(MILLION) >= faults.forgotten()) {
            applying.await(disk.log().lastIndex(), outcome);
        }
        leading.beat();
        leading.advance();
        return outcome;
    }

    /** Whether a message of a leader counts; then it leads. */
    private boolean accepts(String from, long term) {
        if (term < disk.term()) {
            return false;
        }
        if (term > disk.term()) {
            disk.vote(term, null);
            follow(from);
        } else if (state != State.FOLLOWER || !from.equals(leader)) {
            follow(from);
        }
        heard();
        return true;
    }

    void appended(String from, long term, long previous, long previousTerm, List<Stored> entries, long committed) {
        if (!accepts(from, term)) {
            answer(from, false, -1);
            return;
        }
        LogFile log = disk.log();
        if (!log.has(previous, previousTerm)) {
            answer(from, false, Math.min(previous - 1, log.lastIndex()));
            return;
        }
        long index = previous;
        for (Stored entry : entries) {
            index++;
            if (log.has(index, entry.term())) {
                continue;
            }
            if (index <= log.lastIndex()) {
                long cut = index;
                process.world().note(process.name(), () -> "drops its log from " + cut);
                log.cutFrom(index);
            }
            log.append(entry);
        }
        matched = Math.max(matched, index);
        applying.commit(Math.min(committed, index));
        answer(from, true, index);
    }

    void install(String from, long term, Snapshot snapshot) {
        if (!accepts(from, term)) {
            answer(from, false, -1);
        } else if (snapshot.index() <= applying.applied()) {
            matched = Math.max(matched, snapshot.index());
            answer(from, true, snapshot.index());
        } else if (snapshot.index() > installing) {
            installing = snapshot.index();
            disk.snapshots()
                    .write(
                            snapshot,
                            () -> process.arrive(0, () -> {
                                process.world()
                                        .note(
                                                process.name(),
                                                () -> "takes over a snapshot of entry " + snapshot.index());
                                disk.keepNewest();
                                applying.takeOver();
                                matched = Math.max(matched, snapshot.index()); // what is committed every leader has
                                flushed();
                            }));
        }
    }

    /** Tells a leader what is here, and how much of it stays here whatever happens. */
    private void answer(String to, boolean same, long index) {
        long term = disk.term();
        long flushed = safe(index);
        if (same) {
            told = Math.max(told, flushed);
        }
        whenVoteIsFlushed(
                () -> peers.send(process.name(), to, log -> log.answered(process.name(), term, same, index, flushed)));
    }

    /** How much of what is here a leader may count on. */
    private long safe(long index) {
        return Math.min(index, disk.log().flushed());
    }

    private void answered(String from, long term, boolean same, long index, long flushed) {
        if (term > disk.term()) {
            enter(term);
        } else if (leadership != null && term == disk.term()) {
            leadership.answered(from, same, index, flushed);
        }
    }

    /** An entry was applied. */
    private void applied() {
        if (leadership != null && !led && applying.applied() >= leadership.beganAt()) {
            led = true;
            replica.roleChanged(new Role.Leading(disk.term()));
        }
    }

    // What else a log can be asked -------------------------------------------------------------------

    @Override
    public LogStatus status() {
        Role role = isLeading()
                ? new Role.Leading(disk.term())
                : new Role.Following(disk.term(), Optional.ofNullable(leader).map(SimulatedLog::id));
        long snapshot = disk.snapshot().index();
        return new LogStatus("simulated", role, applying.applied(), snapshot, members(), 0, Map.of(), Map.of());
    }

    @Override
    public List<Member> members() {
        return peers.names().stream().map(SimulatedLog::member).toList();
    }

    /** Whether this node believes that it leads. */
    public boolean isLeading() {
        return leadership != null && led;
    }

    /** The last entry that was applied here. */
    public long appliedIndex() {
        return applying.applied();
    }

    /** When an entry that is being applied was proposed, in the world's time. */
    public long proposedNanos(long index) {
        return disk.log().at(index).proposedNanos();
    }

    @Override
    public CompletableFuture<Void> reconfigure(List<Member> expected, List<Member> next) {
        return CompletableFuture.failedFuture(LogException.refused("the members of a simulated log do not change"));
    }

    @Override
    public CompletableFuture<Void> transferLeadership(Optional<NodeId> to, Duration atMost) {
        String next = to.map(NodeId::name).orElseGet(() -> others().get(0));
        peers.send(process.name(), next, SimulatedLog::campaign);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Long> snapshot() {
        return CompletableFuture.failedFuture(LogException.refused("a simulated log writes snapshots by itself"));
    }

    @Override
    public Optional<SnapshotFile> latestSnapshot() {
        return Optional.empty();
    }

    @Override
    public void close() {
        process.kill();
    }
}
