package dev.holdfast.transcript.step;

import dev.holdfast.core.LockKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What one line of a transcript, or one block of lines, says. */
public sealed interface Step {

    /**
     * One log entry.
     *
     * @param afterMillis how far the cluster clock is moved by its stamp
     */
    record Entry(long afterMillis, List<Act> acts) implements Step {
        public Entry {
            acts = List.copyOf(acts);
        }
    }

    /** Something that happens to the cluster itself. */
    sealed interface OfCluster extends Step {}

    record LeaderChanges() implements OfCluster {}

    /** An entry stamped by the clock of an earlier term. */
    record OldStamp(long aheadMillis) implements OfCluster {}

    record ReplicaStops(int number) implements OfCluster {}

    record ReplicaReturns(int number) implements OfCluster {}

    record CompareReplicas() implements OfCluster {}

    /** Every replica is written, read back and replaced by its copy. */
    record Snapshot() implements OfCluster {}

    record StartSnapshot() implements OfCluster {}

    record FinishSnapshot() implements OfCluster {}

    record Backup() implements OfCluster {}

    record Restore(long aboveToken, boolean quarantine) implements OfCluster {}

    /** Something asked that changes nothing. */
    sealed interface Question extends Step {}

    record ShowClock() implements Question {}

    record Show(LockKey key) implements Question {}

    /**
     * The locks whose keys start with a prefix.
     *
     * @param most how many on a page; 0 for all
     */
    record ListLocks(String prefix, int most, Optional<LockKey> from) implements Question {}

    /**
     * Why a client waits.
     *
     * @param request which one; empty for the latest that waits
     */
    record Explain(String name, OptionalLong request) implements Question {}

    record PlanLock(Act.Lock lock) implements Question {}

    /**
     * What happened to a key, newest first.
     *
     * @param most how many events; 0 for all that are kept
     */
    record HistoryOf(LockKey key, int most) implements Question {}

    record LeasesOf(String name) implements Question {}

    /**
     * Somebody watches a key, or all keys with a prefix.
     *
     * @param fromRevision where to resume; empty for what comes from now on
     */
    record Watch(String name, String path, boolean prefix, OptionalLong fromRevision) implements Step {}

    record StopWatching(String name) implements Step {}

    /**
     * An access to a store that checks fencing tokens.
     *
     * @param value what is written; empty for a read
     */
    record Access(String name, String store, Optional<String> value, long token) implements Step {}
}
