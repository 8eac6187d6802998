package dev.holdfast.server.propose;

import dev.holdfast.core.LeaseId;
import dev.holdfast.server.replica.LockReplica;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Renewals that wait for company: a twentieth of the lease's TTL and never longer than the settings say.
 *
 * <p>Whether a lease is the caller's is looked up here, on the leader, before it is proposed; an answer is given only
 * once the entry has been applied, because only that proves that this node still leads and knows all leases.
 */
final class Renewals {
    private static final long UNKNOWN_TTL = 0;
    private static final int SHARE_OF_TTL = 20;

    private final LockReplica replica;
    private final long longestWaitNanos;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long leaveByNanos;

    @SuppressWarnings("ArrayRecordComponent")
    private record Waiting(Work.Renewal work, boolean[] owned) {}

    Renewals(LockReplica replica, long longestWaitNanos) {
        this.replica = replica;
        this.longestWaitNanos = longestWaitNanos;
    }

    void add(List<Work.Renewal> works) {
        if (works.isEmpty()) {
            return;
        }
        replica.ask(view -> {
            for (Work.Renewal work : works) {
                boolean[] owned = new boolean[work.leases().length];
                long shortestTtl = Long.MAX_VALUE;
                for (int i = 0; i < owned.length; i++) {
                    long id = work.leases()[i];
                    OptionalLong ttl =
                            id == 0 ? OptionalLong.empty() : view.leaseTtlMillis(new LeaseId(id), work.principal());
                    owned[i] = ttl.isPresent();
                    shortestTtl = Math.min(shortestTtl, ttl.orElse(UNKNOWN_TTL));
                }
                long wait = Math.min(longestWaitNanos, shortestTtl / SHARE_OF_TTL * 1_000_000);
                long leaveBy = work.arrivedNanos() + wait;
                leaveByNanos = waiting.isEmpty() || leaveBy - leaveByNanos < 0 ? leaveBy : leaveByNanos;
                waiting.add(new Waiting(work, owned));
            }
            return waiting.size();
        });
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** How long the first of them may still wait; 0 or less if it must go now. */
    long nanosLeft(long nanos) {
        return waiting.isEmpty() ? Long.MAX_VALUE : leaveByNanos - nanos;
    }

    /** Moves renewals into a batch, as many as fit. */
    long[] drain(int most, List<Work.Renewal> works, List<boolean[]> included) {
        List<Long> ids = new ArrayList<>();
        while (!waiting.isEmpty()
                && (ids.isEmpty() || ids.size() + waiting.element().owned().length <= most)) {
            Waiting next = waiting.remove();
            for (int i = 0; i < next.owned().length; i++) {
                if (next.owned()[i]) {
                    ids.add(next.work().leases()[i]);
                }
            }
            works.add(next.work());
            included.add(next.owned());
        }
        return ids.stream().mapToLong(Long::longValue).toArray();
    }

    /** Takes all that wait out, to be failed. */
    List<Work.Renewal> clear() {
        List<Work.Renewal> works = new ArrayList<>();
        waiting.forEach(next -> works.add(next.work()));
        waiting.clear();
        return works;
    }
}
