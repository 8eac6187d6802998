package dev.holdfast.transcript.step;

import dev.holdfast.core.machine.LockMachine;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What can happen to the cluster: leaders, replicas, snapshots, backups. */
final class ClusterForms {
    private static final Set<Clause> RESTORING =
            EnumSet.of(Clause.FIRST_RESTORE, Clause.ABOVE_TOKEN, Clause.WITHOUT_QUARANTINE, Clause.QUARANTINE);

    static final List<Form> ALL = List.of(
            plain("the leader changes", new Step.LeaderChanges()),
            new Form(
                    "an old leader stamps an entry DURATION ahead",
                    "an old leader stamps an entry 60s ahead",
                    Set.of(),
                    (match, clauses) -> new Step.OldStamp(match.duration(0))),
            new Form(
                    "replica NUMBER stops",
                    "replica 2 stops",
                    Set.of(),
                    (match, clauses) -> new Step.ReplicaStops(match.smallNumber(0))),
            new Form(
                    "replica NUMBER returns",
                    "replica 2 returns",
                    Set.of(),
                    (match, clauses) -> new Step.ReplicaReturns(match.smallNumber(0))),
            plain("compare the replicas", new Step.CompareReplicas()),
            plain("snapshot", new Step.Snapshot()),
            plain("start a snapshot", new Step.StartSnapshot()),
            plain("finish the snapshot", new Step.FinishSnapshot()),
            plain("backup", new Step.Backup()),
            new Form(
                    "restore the backup",
                    "restore the backup, above token 12",
                    RESTORING,
                    (match, clauses) -> restore(clauses)));

    private ClusterForms() {}

    private static Form plain(String text, Step step) {
        return new Form(text, text, Set.of(), (match, clauses) -> step);
    }

    /** As the operator must, the transcript says how it knows which tokens were handed out. */
    private static Step.Restore restore(Clauses clauses) {
        if (clauses.has(Clause.FIRST_RESTORE) == clauses.has(Clause.ABOVE_TOKEN)) {
            throw new TranscriptException("a restore says either \"first restore\" or \"above token TOKEN\"");
        }
        long quarantine = clauses.has(Clause.WITHOUT_QUARANTINE)
                ? 0
                : clauses.duration(Clause.QUARANTINE, LockMachine.LONGEST_LEASE);
        return new Step.Restore(clauses.token(Clause.ABOVE_TOKEN).orElse(0), quarantine);
    }
}
