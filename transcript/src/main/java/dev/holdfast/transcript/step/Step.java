package dev.holdfast.transcript.step;

import dev.holdfast.core.LockKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What one line of a transcript, or one block of lines, says. */
public sealed interface Step {
    /** Calls the case for this kind of step. */
    <R extends @Nullable Object> R match(Cases<R> cases);

    /**
     * One log entry.
     *
     * @param afterMillis how far the cluster clock is moved by its stamp
     */
    record Entry(long afterMillis, List<Act> acts) implements Step {
        public Entry {
            acts = List.copyOf(acts);
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.entry(this);
        }
    }

    /** Something that happens to the cluster itself. */
    sealed interface OfCluster extends Step {
        /** Calls the case for what happens. */
        <R extends @Nullable Object> R match(ClusterCases<R> cases);

        @Override
        default <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.ofCluster(this);
        }
    }

    record LeaderChanges() implements OfCluster {
        @Override
        public <R extends @Nullable Object> R match(ClusterCases<R> cases) {
            return cases.leaderChanges(this);
        }
    }

    /** An entry stamped by the clock of an earlier term. */
    record OldStamp(long aheadMillis) implements OfCluster {
        @Override
        public <R extends @Nullable Object> R match(ClusterCases<R> cases) {
            return cases.oldStamp(this);
        }
    }

    record ReplicaStops(int number) implements OfCluster {
        @Override
        public <R extends @Nullable Object> R match(ClusterCases<R> cases) {
            return cases.replicaStops(this);
        }
    }

    record ReplicaReturns(int number) implements OfCluster {
        @Override
        public <R extends @Nullable Object> R match(ClusterCases<R> cases) {
            return cases.replicaReturns(this);
        }
    }

    record CompareReplicas() implements OfCluster {
        @Override
        public <R extends @Nullable Object> R match(ClusterCases<R> cases) {
            return cases.compareReplicas(this);
        }
    }

    /** Every replica is written, read back and replaced by its copy. */
    record Snapshot() implements OfCluster {
        @Override
        public <R extends @Nullable Object> R match(ClusterCases<R> cases) {
            return cases.snapshot(this);
        }
    }

    record StartSnapshot() implements OfCluster {
        @Override
        public <R extends @Nullable Object> R match(ClusterCases<R> cases) {
            return cases.startSnapshot(this);
        }
    }

    record FinishSnapshot() implements OfCluster {
        @Override
        public <R extends @Nullable Object> R match(ClusterCases<R> cases) {
            return cases.finishSnapshot(this);
        }
    }

    record Backup() implements OfCluster {
        @Override
        public <R extends @Nullable Object> R match(ClusterCases<R> cases) {
            return cases.backup(this);
        }
    }

    record Restore(long aboveToken, long quarantineMillis) implements OfCluster {
        @Override
        public <R extends @Nullable Object> R match(ClusterCases<R> cases) {
            return cases.restore(this);
        }
    }

    /** Something asked that changes nothing. */
    sealed interface Question extends Step {
        /** Calls the case for what is asked. */
        <R extends @Nullable Object> R match(QuestionCases<R> cases);

        @Override
        default <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.question(this);
        }
    }

    record ShowClock() implements Question {
        @Override
        public <R extends @Nullable Object> R match(QuestionCases<R> cases) {
            return cases.showClock(this);
        }
    }

    record Show(LockKey key) implements Question {
        @Override
        public <R extends @Nullable Object> R match(QuestionCases<R> cases) {
            return cases.show(this);
        }
    }

    /**
     * The locks whose keys start with a prefix.
     *
     * @param most how many on a page; 0 for all
     */
    record ListLocks(String prefix, int most, Optional<LockKey> from) implements Question {
        @Override
        public <R extends @Nullable Object> R match(QuestionCases<R> cases) {
            return cases.listLocks(this);
        }
    }

    /**
     * Why a client waits.
     *
     * @param request which one; empty for the latest that waits
     */
    record Explain(String name, OptionalLong request) implements Question {
        @Override
        public <R extends @Nullable Object> R match(QuestionCases<R> cases) {
            return cases.explain(this);
        }
    }

    record PlanLock(Act.Lock lock) implements Question {
        @Override
        public <R extends @Nullable Object> R match(QuestionCases<R> cases) {
            return cases.planLock(this);
        }
    }

    /**
     * What happened to a key, newest first.
     *
     * @param most how many events; 0 for all that are kept
     */
    record HistoryOf(LockKey key, int most) implements Question {
        @Override
        public <R extends @Nullable Object> R match(QuestionCases<R> cases) {
            return cases.historyOf(this);
        }
    }

    record LeasesOf(String name) implements Question {
        @Override
        public <R extends @Nullable Object> R match(QuestionCases<R> cases) {
            return cases.leasesOf(this);
        }
    }

    /**
     * Somebody watches a key, or all keys with a prefix.
     *
     * @param fromRevision where to resume; empty for what comes from now on
     */
    record Watch(String name, String path, boolean prefix, OptionalLong fromRevision) implements Step {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.watch(this);
        }
    }

    record StopWatching(String name) implements Step {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.stopWatching(this);
        }
    }

    /**
     * An access to a store that checks fencing tokens.
     *
     * @param value what is written; empty for a read
     */
    record Access(String name, String store, Optional<String> value, long token) implements Step {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.access(this);
        }
    }

    /** What to do with each kind: a new one does not compile until everybody has decided. */
    interface Cases<R extends @Nullable Object> {
        R entry(Entry step);

        R ofCluster(OfCluster step);

        R question(Question step);

        R watch(Watch step);

        R stopWatching(StopWatching step);

        R access(Access step);
    }

    /** What to do with each thing that happens to a cluster. */
    interface ClusterCases<R extends @Nullable Object> {
        R leaderChanges(LeaderChanges step);

        R oldStamp(OldStamp step);

        R replicaStops(ReplicaStops step);

        R replicaReturns(ReplicaReturns step);

        R compareReplicas(CompareReplicas step);

        R snapshot(Snapshot step);

        R startSnapshot(StartSnapshot step);

        R finishSnapshot(FinishSnapshot step);

        R backup(Backup step);

        R restore(Restore step);
    }

    /** How each question is answered. */
    interface QuestionCases<R extends @Nullable Object> {
        R showClock(ShowClock question);

        R show(Show question);

        R listLocks(ListLocks question);

        R explain(Explain question);

        R planLock(PlanLock question);

        R historyOf(HistoryOf question);

        R leasesOf(LeasesOf question);
    }
}
