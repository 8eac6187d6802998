package dev.holdfast.transcript.player;

import dev.holdfast.core.event.Event;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.snapshot.SnapshotWriter;
import dev.holdfast.transcript.step.Step;
import dev.holdfast.transcript.step.TranscriptException;
import dev.holdfast.transcript.words.EntryWords;
import dev.holdfast.transcript.words.Phrases;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does what happens to the cluster itself: leaders, replicas, snapshots, backups. */
final class ClusterSteps implements Step.ClusterCases<List<String>> {
    private final Cluster cluster;
    private final Consumer<Event> listener;
    private @Nullable SnapshotWriter openSnapshot;
    private boolean leaderless;
    private long hashAtCut;
    private long revisionAtCut;
    private byte @Nullable [] backup;

    /** @param listener hears of every event */
    ClusterSteps(Cluster cluster, Consumer<Event> listener) {
        this.cluster = cluster;
        this.listener = listener;
    }

    @Override
    public List<String> leaderChanges(Step.LeaderChanges step) {
        return changeLeader();
    }

    @Override
    public List<String> replicaStops(Step.ReplicaStops step) {
        return stop(step.number());
    }

    @Override
    public List<String> replicaReturns(Step.ReplicaReturns step) {
        return catchUp(step.number());
    }

    @Override
    public List<String> compareReplicas(Step.CompareReplicas step) {
        cluster.compare();
        return List.of(cluster.running() + " of " + cluster.size() + " replicas run and agree at revision "
                + cluster.machine().view().revision());
    }

    @Override
    public List<String> snapshot(Step.Snapshot step) {
        return snapshot();
    }

    @Override
    public List<String> startSnapshot(Step.StartSnapshot step) {
        return startSnapshot();
    }

    @Override
    public List<String> finishSnapshot(Step.FinishSnapshot step) {
        return finishSnapshot();
    }

    @Override
    public List<String> backup(Step.Backup step) {
        backup = cluster.replica(cluster.leader()).snapshot();
        return List.of("backed up at revision " + cluster.machine().view().revision());
    }

    @Override
    public List<String> oldStamp(Step.OldStamp stamp) {
        long before = cluster.machine().view().now();
        Applied applied = cluster.applyStampOfOldTerm(stamp.aheadMillis());
        applied.events().forEach(listener);
        List<String> lines = new ArrayList<>(EntryWords.of(applied.events()));
        lines.add(
                applied.now() == before
                        ? "the cluster clock stays at " + Phrases.duration(before)
                        : "the cluster clock moves to " + Phrases.duration(applied.now()));
        return lines;
    }

    private List<String> stop(int number) {
        cluster.replica(number).stop();
        List<String> lines = new ArrayList<>();
        lines.add(cluster.running() + " of " + cluster.size() + " replicas run");
        lines.addAll(replaceStoppedLeader());
        return lines;
    }

    /** A leader that has stopped, or has lost its majority, leads no more. */
    private List<String> replaceStoppedLeader() {
        boolean leads = !leaderless && cluster.replica(cluster.leader()).isRunning() && cluster.hasMajority();
        return leads ? List.of() : changeLeader();
    }

    private List<String> changeLeader() {
        leaderless = !cluster.hasMajority();
        if (leaderless) {
            return List.of("no leader without a majority");
        }
        cluster.changeLeader();
        return List.of("replica " + cluster.leader() + " leads in term " + cluster.term());
    }

    private List<String> catchUp(int number) {
        int entries = cluster.replica(number).catchUp();
        cluster.compare();
        List<String> lines = new ArrayList<>();
        lines.add("replica " + number + " applied " + entries + (entries == 1 ? " missed entry" : " missed entries")
                + " and agrees at revision "
                + cluster.replica(number).machine().view().revision());
        lines.addAll(replaceStoppedLeader());
        return lines;
    }

    private List<String> snapshot() {
        requireNoOpenSnapshot();
        for (Replica replica : cluster.replicas()) {
            if (replica.isRunning()) {
                long hash = replica.machine().stateHash();
                replica.load(replica.snapshot());
                requireSame(hash, replica.machine());
            }
        }
        return List.of(
                "the copy is the same at revision " + cluster.machine().view().revision());
    }

    private List<String> startSnapshot() {
        requireNoOpenSnapshot();
        LockMachine machine = cluster.machine();
        hashAtCut = machine.stateHash();
        revisionAtCut = machine.view().revision();
        openSnapshot = machine.startSnapshot();
        cluster.setSnapshotOpen(true);
        return List.of("a snapshot is cut at revision " + revisionAtCut);
    }

    private List<String> finishSnapshot() {
        SnapshotWriter writer = openSnapshot;
        if (writer == null) {
            throw new TranscriptException("no snapshot was started");
        }
        requireSame(hashAtCut, Replica.machineOf(Replica.drain(writer)));
        openSnapshot = null;
        cluster.setSnapshotOpen(false);
        cluster.compare();
        return List.of("the snapshot is the state at revision " + revisionAtCut + "; the machine is at revision "
                + cluster.machine().view().revision());
    }

    @Override
    public List<String> restore(Step.Restore restore) {
        byte[] bytes = backup;
        if (bytes == null) {
            throw new TranscriptException("there is no backup; say \"backup\" first");
        }
        requireNoOpenSnapshot();
        List<Event> events = List.of();
        for (Replica replica : cluster.replicas()) {
            replica.load(bytes);
            events = replica.machine()
                    .beginEpoch(restore.aboveToken(), restore.quarantineMillis())
                    .events();
        }
        cluster.compare();
        cluster.startTerm();
        events.forEach(listener);
        List<String> lines = new ArrayList<>(EntryWords.of(events));
        lines.add(newEpoch());
        return lines;
    }

    private String newEpoch() {
        LockMachine machine = cluster.machine();
        long end = machine.view().quarantineEndMillis();
        String quarantine = end == 0
                ? "locks are granted at once"
                : "nothing is granted for "
                        + Phrases.duration(end - machine.view().now());
        return "epoch " + machine.view().epoch() + " begins, " + quarantine;
    }

    private void requireNoOpenSnapshot() {
        if (openSnapshot != null) {
            throw new TranscriptException("a snapshot is being written; say \"finish the snapshot\" first");
        }
    }

    private static void requireSame(long hash, LockMachine copy) {
        if (copy.stateHash() != hash) {
            throw new IllegalStateException("what was read back is not what was written");
        }
    }
}
