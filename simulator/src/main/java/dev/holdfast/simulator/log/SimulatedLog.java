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
import dev.holdfast.simulator.log.Disk.Stored;
import dev.holdfast.simulator.world.SimulatedProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
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
 * </pre>
 */
public final class SimulatedLog implements ReplicatedLog {
    private static final long MILLI = 1_000_000;
    private static final int MILLION = 1_000_000;
    private static final long HEARTBEAT_NANOS = 100 * MILLI;
    private static final long SHORTEST_ELECTION_NANOS = 500 * MILLI;
    private static final long ELECTION_SPREAD_NANOS = 700 * MILLI;
    private static final long LONGEST_STALL_NANOS = 3_000 * MILLI;
    private static final int APPLY_PAUSE_NANOS = 300_000;
    private static final int MAX_PER_MESSAGE = 64;

    private final SimulatedProcess process;
    private final Disk disk;
    private final LogPeers peers;
    private final Replica replica;
    private final LogFaults faults;
    private final RandomGenerator chance;
    private final Map<String, Follower> followers = new HashMap<>();
    private final Map<Long, CompletableFuture<Outcome>> waiting = new HashMap<>();
    private final SnapshotWriting snapshots;
    private State state = State.FOLLOWER;
    private @Nullable String leader;
    private long commit;
    private long applied;
    private long termBegan;
    private long heardNanos;
    private long patienceNanos;
    private final Set<String> votes = new HashSet<>();
    private boolean applying;
    private boolean led;

    private enum State {
        FOLLOWER,
        CANDIDATE,
        LEADER
    }

    /** What a leader knows of another node. */
    private static final class Follower {
        private long next;
        private long match = -1;
        private long heardNanos;
        private boolean sending;
    }

    public SimulatedLog(SimulatedProcess process, Disk disk, LogPeers peers, Replica replica, LogFaults faults) {
        this.process = process;
        this.disk = disk;
        this.peers = peers;
        this.replica = replica;
        this.faults = faults;
        this.chance = process.world().chance();
        this.snapshots = new SnapshotWriting(process, disk, replica);
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
        if (disk.snapshotIndex() >= 0) {
            replica.load(disk.snapshotTerm(), disk.snapshotIndex(), new ByteArrayInputStream(disk.snapshot()));
        }
        applied = disk.snapshotIndex();
        commit = applied;
        heard();
        follow(null);
        look();
    }

    // Elections --------------------------------------------------------------------------------------

    private void heard() {
        heardNanos = process.nanos();
        patienceNanos = SHORTEST_ELECTION_NANOS + chance.nextLong(ELECTION_SPREAD_NANOS);
    }

    /** Looks now and then whether somebody leads. */
    private void look() {
        if (state == State.LEADER) {
            beat();
        } else if (process.nanos() - heardNanos > patienceNanos) {
            campaign();
        }
        var unused = process.schedule(HEARTBEAT_NANOS, this::look);
    }

    private void beat() {
        long silent = followers.values().stream()
                .filter(follower -> process.nanos() - follower.heardNanos > 2 * SHORTEST_ELECTION_NANOS)
                .count();
        if (silent > peers.names().size() / 2 && chance.nextInt(4) == 0) {
            follow(null);
            return;
        }
        followers.keySet().stream().sorted().forEach(this::append);
    }

    /** Stands for election at once. */
    public void campaign() {
        heard();
        state = State.CANDIDATE;
        disk.vote(disk.term() + 1, process.name());
        votes.clear();
        votes.add(process.name());
        long term = disk.term();
        long lastIndex = disk.lastIndex();
        long lastTerm = disk.termAt(lastIndex);
        process.world().note(process.name(), () -> "stands for term " + term);
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
            disk.vote(term, null);
            follow(null);
        }
        long myTerm = disk.termAt(disk.lastIndex());
        boolean asGood = lastTerm > myTerm || (lastTerm == myTerm && lastIndex >= disk.lastIndex());
        boolean mine = term == disk.term() && asGood && (disk.vote() == null || candidate.equals(disk.vote()));
        if (mine) {
            disk.vote(term, candidate);
            heard();
        }
        long current = disk.term();
        peers.send(process.name(), candidate, log -> log.voted(process.name(), current, mine));
    }

    private void voted(String voter, long term, boolean mine) {
        if (term > disk.term()) {
            disk.vote(term, null);
            follow(null);
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
            followers.clear();
            for (String peer : others()) {
                Follower follower = new Follower();
                follower.next = disk.lastIndex() + 1;
                follower.heardNanos = process.nanos();
                followers.put(peer, follower);
            }
            disk.append(new Stored(disk.term(), null, process.world().now()));
            termBegan = disk.lastIndex();
            led = false;
            advance();
            beat();
        }
    }

    private void follow(@Nullable String newLeader) {
        boolean changed = state != State.FOLLOWER || newLeader == null || !newLeader.equals(leader);
        state = State.FOLLOWER;
        leader = newLeader;
        led = false;
        waiting.values().forEach(outcome -> outcome.complete(new Outcome.Unknown("another node may lead")));
        waiting.clear();
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
        if (state != State.LEADER || disk.term() != term || !led) {
            return CompletableFuture.completedFuture(new Outcome.NotAppended("does not lead in term " + term));
        }
        if (chance.nextInt(MILLION) < faults.refused()) {
            return CompletableFuture.completedFuture(new Outcome.NotAppended("too busy"));
        }
        disk.append(new Stored(term, entry, proposedNanos));
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        if (chance.nextInt(MILLION) >= faults.forgotten()) {
            waiting.put(disk.lastIndex(), outcome);
        }
        followers.keySet().stream().sorted().forEach(this::append);
        advance();
        return outcome;
    }

    private void append(String peer) {
        Follower follower = followers.get(peer);
        if (follower == null || follower.sending) {
            return;
        }
        follower.sending = true;
        // What is appended meanwhile shares the message.
        process.arrive(chance.nextInt(APPLY_PAUSE_NANOS), () -> {
            follower.sending = false;
            if (state == State.LEADER && followers.get(peer) == follower) {
                send(peer, follower);
            }
        });
    }

    private void send(String peer, Follower follower) {
        long term = disk.term();
        long previous = follower.next - 1;
        if (previous < disk.snapshotIndex()) {
            long index = disk.snapshotIndex();
            long indexTerm = disk.snapshotTerm();
            byte[] snapshot = disk.snapshot();
            peers.send(process.name(), peer, log -> log.install(process.name(), term, index, indexTerm, snapshot));
            return;
        }
        long previousTerm = disk.termAt(previous);
        List<Stored> entries = disk.from(follower.next, MAX_PER_MESSAGE);
        long committed = commit;
        peers.send(
                process.name(),
                peer,
                log -> log.appended(process.name(), term, previous, previousTerm, entries, committed));
    }

    /** Whether a message of a leader counts; then it leads. */
    private boolean accepts(String from, long term) {
        if (term < disk.term()) {
            return false;
        }
        if (term > disk.term()) {
            disk.vote(term, null);
        }
        if (state != State.FOLLOWER || !from.equals(leader)) {
            follow(from);
        }
        heard();
        return true;
    }

    private void appended(
            String from, long term, long previous, long previousTerm, List<Stored> entries, long committed) {
        if (!accepts(from, term)) {
            answer(from, false, -1);
            return;
        }
        if (previous > disk.snapshotIndex() && disk.termAt(previous) != previousTerm) {
            answer(from, false, Math.min(previous - 1, disk.lastIndex()));
            return;
        }
        long index = previous;
        for (Stored entry : entries) {
            index++;
            if (index <= disk.snapshotIndex() || disk.termAt(index) == entry.term()) {
                continue;
            }
            if (index <= disk.lastIndex()) {
                long cut = index;
                process.world().note(process.name(), () -> "drops its log from " + cut);
                disk.cutFrom(index);
            }
            disk.append(entry);
        }
        commit = Math.max(commit, Math.min(committed, index));
        applySoon();
        answer(from, true, index);
    }

    private void install(String from, long term, long index, long indexTerm, byte[] snapshot) {
        if (!accepts(from, term)) {
            answer(from, false, -1);
            return;
        }
        if (index > applied) {
            process.world().note(process.name(), () -> "takes over a snapshot of entry " + index);
            snapshots.abandon();
            disk.keep(index, indexTerm, snapshot);
            try {
                replica.load(indexTerm, index, new ByteArrayInputStream(snapshot));
            } catch (IOException e) {
                throw new IllegalStateException("a snapshot that another node made cannot be read", e);
            }
            applied = index;
            commit = Math.max(commit, index);
        }
        answer(from, true, index);
    }

    private void answer(String to, boolean matched, long index) {
        long term = disk.term();
        peers.send(process.name(), to, log -> log.answered(process.name(), term, matched, index));
    }

    private void answered(String from, long term, boolean matched, long index) {
        Follower follower = followers.get(from);
        if (term > disk.term()) {
            disk.vote(term, null);
            follow(null);
        } else if (state == State.LEADER && term == disk.term() && follower != null) {
            follower.heardNanos = process.nanos();
            if (matched) {
                follower.match = Math.max(follower.match, index);
                follower.next = Math.max(follower.next, follower.match + 1);
                advance();
            } else {
                follower.next = Math.max(follower.match, Math.min(follower.next - 1, index)) + 1;
            }
            if (follower.next <= disk.lastIndex()) {
                append(from);
            }
        }
    }

    private void advance() {
        long[] matched = new long[followers.size() + 1];
        int count = 0;
        for (Follower follower : followers.values()) {
            matched[count++] = follower.match;
        }
        matched[count] = disk.lastIndex();
        Arrays.sort(matched);
        long majority = matched[(matched.length - 1) / 2];
        if (majority > commit && disk.termAt(majority) == disk.term()) {
            commit = majority;
            applySoon();
            followers.keySet().stream().sorted().forEach(this::append);
        }
    }

    // Applying ---------------------------------------------------------------------------------------

    private void applySoon() {
        if (!applying && applied < commit) {
            applying = true;
            process.arrive(chance.nextInt(APPLY_PAUSE_NANOS), this::apply);
        }
    }

    private void apply() {
        applying = false;
        if (applied >= commit) {
            return;
        }
        long index = applied + 1;
        Stored entry = disk.at(index);
        if (entry.bytes() != null) {
            replica.apply(entry.term(), index, entry.bytes());
        }
        applied = index;
        if (state == State.LEADER && !led && applied >= termBegan) {
            led = true;
            replica.roleChanged(new Role.Leading(disk.term()));
        }
        CompletableFuture<Outcome> outcome = waiting.remove(index);
        if (outcome != null) {
            outcome.complete(new Outcome.Applied(entry.term(), index));
        }
        if (applied - disk.snapshotIndex() >= faults.snapshotAfter()) {
            snapshots.begin(applied, entry.term());
        }
        applySoon();
    }

    // What else a log can be asked -------------------------------------------------------------------

    @Override
    public LogStatus status() {
        Role role = state == State.LEADER && led
                ? new Role.Leading(disk.term())
                : new Role.Following(disk.term(), Optional.ofNullable(leader).map(SimulatedLog::id));
        return new LogStatus("simulated", role, applied, disk.snapshotIndex(), members(), 0, Map.of(), Map.of());
    }

    private List<Member> members() {
        return peers.names().stream().map(SimulatedLog::member).toList();
    }

    /** Whether this node believes that it leads. */
    public boolean isLeading() {
        return state == State.LEADER && led;
    }

    public long applied() {
        return applied;
    }

    /** When an entry that is being applied was proposed, in the world's time. */
    public long proposedNanos(long index) {
        return disk.at(index).proposedNanos();
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
