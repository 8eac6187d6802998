package dev.holdfast.core.state;

import dev.holdfast.core.Limit;
import dev.holdfast.core.event.EndReason;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Ends leases, as much of them as one entry may.
 *
 * <p>A lease is closed at once: it is due from then on, so that nobody can use it and it is granted nothing. What it
 * awaits and holds then ends in order, over several entries if it is much, so that no entry takes long whatever a
 * client has piled up.
 */
public final class LeaseEnds {
    /** All that waits before all that is held: nothing may become free while a request of the same lease waits for it. */
    private static final Comparator<Request> IN_ORDER =
            Comparator.comparing(Request::isHeld).thenComparingLong(Request::revision);

    private final State state;
    private final Ledger ledger;
    private final Transitions transitions;
    private long left;

    public LeaseEnds(State state, Ledger ledger, Transitions transitions) {
        this.state = state;
        this.ledger = ledger;
        this.transitions = transitions;
    }

    /** A new entry: so many ends may happen in it. */
    public void startEntry() {
        left = state.limit(Limit.ENDS_PER_ENTRY);
    }

    public boolean isSpent() {
        return left <= 0;
    }

    /** Counts the end of something else. */
    public void count() {
        left--;
    }

    /** Closes a lease, unless it is closed already, and ends as much of it as this entry still may. */
    public void end(Lease lease, EndReason reason) {
        EndReason why = lease.ending == null ? reason : lease.ending;
        if (lease.requestCount() < left) {
            left -= 1 + lease.requestCount();
            transitions.endLease(lease, why);
            return;
        }
        if (lease.ending == null) {
            ledger.close(lease, why);
        }
        endFirst(lease, why);
    }

    private void endFirst(Lease lease, EndReason reason) {
        while (left > 0) {
            Request next = next(lease);
            if (next == null) {
                return;
            }
            left--;
            transitions.end(next, reason);
        }
    }

    /** Those that ended in another way meanwhile are passed over. */
    private static @Nullable Request next(Lease lease) {
        PriorityQueue<Request> order = lease.ends;
        if (order == null) {
            order = new PriorityQueue<>(Math.max(1, lease.requestCount()), IN_ORDER);
            order.addAll(lease.requests.values());
            lease.ends = order;
        }
        Request next = order.poll();
        while (next != null && lease.requests.get(next.seq) != next) {
            next = order.poll();
        }
        return next;
    }
}
