package dev.holdfast.simulator.log;

import dev.holdfast.simulator.world.SimulatedProcess;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** A leader's part, for one term: what the others have, and what a majority has flushed. */
final class Leadership {
    private static final int GATHERING_NANOS = 300_000;
    private static final int MAX_PER_MESSAGE = 64;

    private final SimulatedProcess process;
    private final Disk disk;
    private final LogPeers peers;
    private final Applying applying;
    private final RandomGenerator chance;
    private final long term;
    private final long beganAt;
    private final Map<String, Follower> followers = new TreeMap<>();
    private boolean over;

    /** What a leader knows of another node. */
    private static final class Follower {
        private long next;
        private long flushed = -1;
        private long heardNanos;
        private boolean sending;
    }

    /** Begins the disk's term with an entry. */
    Leadership(SimulatedProcess process, Disk disk, LogPeers peers, Applying applying, List<String> others) {
        this.process = process;
        this.disk = disk;
        this.peers = peers;
        this.applying = applying;
        this.chance = process.world().chance();
        this.term = disk.term();
        this.beganAt = disk.log().lastIndex() + 1;
        for (String peer : others) {
            Follower follower = new Follower();
            follower.next = beganAt;
            follower.heardNanos = process.nanos();
            followers.put(peer, follower);
        }
        disk.log().append(new Stored(term, null, process.world().now()));
    }

    /** The entry that began it. */
    long beganAt() {
        return beganAt;
    }

    void end() {
        over = true;
    }

    /** How many have not been heard of for so long. */
    long silent(long nanos) {
        return followers.values().stream()
                .filter(follower -> process.nanos() - follower.heardNanos > nanos)
                .count();
    }

    /** Who could lead in its place soonest. */
    Optional<String> successor() {
        return followers.entrySet().stream()
                .max(Map.Entry.comparingByValue((a, b) -> Long.compare(a.flushed, b.flushed)))
                .map(Map.Entry::getKey);
    }

    /** Sends everybody what they lack, or a sign of life. */
    void beat() {
        followers.keySet().forEach(this::append);
    }

    private void append(String peer) {
        Follower follower = followers.get(peer);
        if (follower == null || follower.sending) {
            return;
        }
        follower.sending = true;
        // What is appended meanwhile shares the message.
        process.arrive(chance.nextInt(GATHERING_NANOS), () -> {
            follower.sending = false;
            if (!over) {
                send(peer, follower);
            }
        });
    }

    private void send(String peer, Follower follower) {
        String self = process.name();
        long previous = follower.next - 1;
        LogFile log = disk.log();
        if (previous < log.baseIndex()) {
            Snapshot snapshot = disk.snapshot();
            peers.send(self, peer, other -> other.install(self, term, snapshot));
            return;
        }
        long previousTerm = log.termAt(previous);
        List<Stored> entries = log.from(follower.next, MAX_PER_MESSAGE);
        long committed = applying.committed();
        peers.send(self, peer, other -> other.appended(self, term, previous, previousTerm, entries, committed));
    }

    /**
     * A node has answered in this term.
     *
     * @param index up to where it has the same entries; if they did not match, up to where to try
     * @param flushed up to where it cannot lose them any more
     */
    void answered(String from, boolean matched, long index, long flushed) {
        Follower follower = followers.get(from);
        if (follower == null) {
            return;
        }
        follower.heardNanos = process.nanos();
        if (matched) {
            follower.flushed = Math.max(follower.flushed, flushed);
            follower.next = Math.max(follower.next, index + 1);
            advance();
        } else {
            follower.next = Math.max(follower.flushed, Math.min(follower.next - 1, index)) + 1;
        }
        if (follower.next <= disk.log().lastIndex()) {
            append(from);
        }
    }

    /** Commits what a majority has flushed, this node counted like any other. */
    void advance() {
        long[] flushed = new long[followers.size() + 1];
        int count = 0;
        for (Follower follower : followers.values()) {
            flushed[count++] = follower.flushed;
        }
        flushed[count] = disk.log().flushed();
        Arrays.sort(flushed);
        long majority = flushed[(flushed.length - 1) / 2];
        if (majority > applying.committed() && disk.log().termAt(majority) == term) {
            applying.commit(majority);
            beat();
        }
    }
}
