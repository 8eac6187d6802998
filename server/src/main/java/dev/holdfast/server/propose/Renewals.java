package dev.holdfast.server.propose;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.fair.Turns;
import dev.holdfast.server.replica.LockReplica;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Renewals that wait for company: a twentieth of the lease's TTL and never longer than the settings say. As many as an
 * entry takes wait no longer; the others wait for the next entry, and take turns for it.
 *
 * <p>Whether a lease is the caller's is looked up here, on the leader, before it is proposed; an answer is given only
 * once the entry has been applied, because only that proves that this node still leads and knows all leases.
 */
final class Renewals {
    private static final long UNKNOWN_TTL = 0;
    private static final int SHARE_OF_TTL = 20;

    private final LockReplica replica;
    private final long longestWaitNanos;
    private final int most;

    /** Not looked at yet: that takes time for each lease, also for those that never were. */
    private final Turns<Work.Renewal> arrived = new Turns<>();

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int leases;
    private long leaveByNanos;

    @SuppressWarnings("ArrayRecordComponent")
    private record Waiting(Work.Renewal work, boolean[] owned) {}

    /** @param most leases that one entry renews */
    Renewals(LockReplica replica, long longestWaitNanos, int most) {
        this.replica = replica;
        this.longestWaitNanos = longestWaitNanos;
        this.most = most;
    }

    void add(Work.Renewal work) {
        arrived.add(work.flow(), work.bytes(), work);
    }

    /** Looks at what arrived, as much as fits into the next entry. */
    void look() {
        if (arrived.isEmpty() || isFull()) {
            return;
        }
        replica.ask(view -> {
            for (Work.Renewal work = arrived.poll(); work != null; work = isFull() ? null : arrived.poll()) {
                look(view, work);
            }
            return waiting.size();
        });
    }

    private void look(MachineView view, Work.Renewal work) {
        boolean[] owned = new boolean[work.leases().length];
        long shortestTtl = Long.MAX_VALUE;
        for (int i = 0; i < owned.length; i++) {
            long id = work.leases()[i];
            OptionalLong ttl = id == 0 ? OptionalLong.empty() : view.leaseTtlMillis(new LeaseId(id), work.principal());
            owned[i] = ttl.isPresent();
            shortestTtl = Math.min(shortestTtl, ttl.orElse(UNKNOWN_TTL));
        }
        long wait = Math.min(longestWaitNanos, shortestTtl / SHARE_OF_TTL * 1_000_000);
        long leaveBy = work.arrivedNanos() + wait;
        leaveByNanos = waiting.isEmpty() || leaveBy - leaveByNanos < 0 ? leaveBy : leaveByNanos;
        waiting.add(new Waiting(work, owned));
        leases += owned.length;
    }

    private boolean isFull() {
        return leases >= most;
    }

    /** How long the first of them may still wait; 0 or less if it must go now. */
    long nanosLeft(long nanos) {
        if (waiting.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return isFull() ? 0 : leaveByNanos - nanos;
    }

    /** Moves those that were looked at into a batch. */
    long[] drain(List<Work.Renewal> works, List<boolean[]> included) {
        List<Long> ids = new ArrayList<>();
        for (Waiting next : waiting) {
            for (int i = 0; i < next.owned().length; i++) {
                if (next.owned()[i]) {
                    ids.add(next.work().leases()[i]);
                }
            }
            works.add(next.work());
            included.add(next.owned());
        }
        waiting.clear();
        leases = 0;
        return ids.stream().mapToLong(Long::longValue).toArray();
    }

    /** Takes all that wait out, to be failed. */
    List<Work.Renewal> clear() {
        List<Work.Renewal> works = new ArrayList<>();
        waiting.forEach(next -> works.add(next.work()));
        waiting.clear();
        leases = 0;
        works.addAll(arrived.clear());
        return works;
    }
}
