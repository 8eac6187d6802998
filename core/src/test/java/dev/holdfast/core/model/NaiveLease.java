package dev.holdfast.core.model;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.result.Result;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A lease that has not ended. */
final class NaiveLease {
    final LeaseId id;
    final String principal;
    final String clientId;
    final long grantedTtlMillis;
    final long lockDelayMillis;
    final long startRevision;
    final long startedWallMillis;
    final SortedMap<Long, Result.Final> finished = new TreeMap<>();
    final SortedMap<Long, Result.LeaseGranted> extensions = new TreeMap<>();

    long totalTtlMillis;
    long endMillis;
    long endTick;
    long ackedBelow;
    /** Why it is closed, and only waits for what it holds to end. */
    @Nullable
    EndReason ending;

    NaiveLease(
            LeaseId id,
            String principal,
            String clientId,
            long ttlMillis,
            long lockDelayMillis,
            long startRevision,
            long startedWallMillis) {
        this.id = id;
        this.principal = principal;
        this.clientId = clientId;
        this.grantedTtlMillis = ttlMillis;
        this.totalTtlMillis = ttlMillis;
        this.lockDelayMillis = lockDelayMillis;
        this.startRevision = startRevision;
        this.startedWallMillis = startedWallMillis;
    }

    void acknowledgeBelow(long seq) {
        ackedBelow = Math.max(ackedBelow, seq);
        finished.keySet().removeIf(known -> known < ackedBelow);
    }

    /** Remembers the answer, unless the request has no id or its answer is acknowledged already. */
    void finish(long seq, Result.Final answer) {
        if (seq > 0 && seq >= ackedBelow && ending == null) {
            finished.put(seq, answer);
        }
    }
}
