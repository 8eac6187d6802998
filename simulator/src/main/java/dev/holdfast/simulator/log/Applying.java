package dev.holdfast.simulator.log;

import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.Replica;
import dev.holdfast.simulator.world.SimulatedProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Applies what is committed, one entry after the other, tells who waits for one, and has snapshots written. */
final class Applying {
    private static final int PAUSE_NANOS = 300_000;

    private final SimulatedProcess process;
    private final Disk disk;
    private final LogPeers peers;
    private final Replica replica;
    private final Runnable afterEach;
    private final int snapshotAfter;
    private final RandomGenerator chance;
    private final SnapshotWriting snapshots;
    private final Map<Long, CompletableFuture<Outcome>> waiting = new HashMap<>();
    private long committed;
    private long applied;
    private boolean planned;

    /** @param afterEach done after each entry */
    Applying(
            SimulatedProcess process,
            Disk disk,
            LogPeers peers,
            Replica replica,
            int snapshotAfter,
            Runnable afterEach) {
        this.process = process;
        this.disk = disk;
        this.peers = peers;
        this.replica = replica;
        this.snapshotAfter = snapshotAfter;
        this.afterEach = afterEach;
        this.chance = process.world().chance();
        this.snapshots = new SnapshotWriting(process, disk, replica);
    }

    long committed() {
        return committed;
    }

    long applied() {
        return applied;
    }

    /** Begins with the disk's snapshot. */
    void start() throws IOException {
        Snapshot snapshot = disk.snapshot();
        if (snapshot.index() >= 0) {
            load(snapshot);
        }
        applied = snapshot.index();
        committed = applied;
    }

    /** Takes over the disk's snapshot, which another node has made, unless there is nothing new in it. */
    void takeOver() {
        Snapshot snapshot = disk.snapshot();
        if (snapshot.index() <= applied) {
            return;
        }
        snapshots.abandon();
        try {
            load(snapshot);
        } catch (IOException e) {
            throw new IllegalStateException("a snapshot that another node made cannot be read", e);
        }
        applied = snapshot.index();
        committed = Math.max(committed, applied);
    }

    private void load(Snapshot snapshot) throws IOException {
        replica.load(snapshot.term(), snapshot.index(), new ByteArrayInputStream(snapshot.bytes()));
    }

    /** All up to an entry is committed. */
    void commit(long index) {
        committed = Math.max(committed, index);
        plan();
    }

    private void plan() {
        if (!planned && applied < committed) {
            planned = true;
            process.arrive(chance.nextInt(PAUSE_NANOS), this::apply);
        }
    }

    private void apply() {
        planned = false;
        if (applied >= committed) {
            return;
        }
        long index = applied + 1;
        Stored entry = disk.log().at(index);
        peers.committed(process.name(), index, entry);
        if (entry.bytes() != null) {
            replica.apply(entry.term(), index, entry.bytes());
        }
        applied = index;
        afterEach.run();
        CompletableFuture<Outcome> outcome = waiting.remove(index);
        if (outcome != null) {
            outcome.complete(new Outcome.Applied(entry.term(), index));
        }
        if (applied - disk.snapshot().index() >= snapshotAfter) {
            snapshots.begin(applied, entry.term());
        }
        plan();
    }

    /** Tells somebody when an entry is applied. */
    void await(long index, CompletableFuture<Outcome> outcome) {
        waiting.put(index, outcome);
    }

    /** Whoever waits is told that nobody knows. */
    void giveUp() {
        waiting.values().forEach(outcome -> outcome.complete(new Outcome.Unknown("another node may lead")));
        waiting.clear();
    }
}
