package dev.holdfast.core.state;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The holders and waiters of a lock that has more than one holder, or any waiter. */
final class Crowd {
    final ClaimQueue holders = new ClaimQueue();

    /** One claim for each waiting request on this lock. */
    final ClaimQueue waiting = new ClaimQueue();

    /** The waiting requests that are tried when this lock is triggered. */
    final ClaimQueue parked = new ClaimQueue();

    /** Taken permits. */
    final BitSet slots = new BitSet(0);

    @Nullable
    Claim firstExclusive;

    int foreignParked;
    int subtreeClaims;
    boolean triggered;

    void addHolder(Claim claim) {
        holders.add(claim);
        countSubtree(claim, 1);
        if (claim.slot >= 0) {
            slots.set(claim.slot);
        }
    }

    void removeHolder(Claim claim) {
        holders.remove(claim);
        countSubtree(claim, -1);
        if (claim.slot >= 0) {
            slots.clear(claim.slot);
        }
    }

    void addWaiter(Claim claim) {
        waiting.add(claim);
        countSubtree(claim, 1);
        if (claim.exclusive
                && (firstExclusive == null
                        || claim.request().rank() < firstExclusive.request().rank())) {
            firstExclusive = claim;
        }
    }

    void removeWaiter(Claim claim) {
        int position = waiting.countBelow(claim.request().rank());
        waiting.remove(claim);
        countSubtree(claim, -1);
        if (firstExclusive == claim) {
            firstExclusive = exclusiveFrom(position);
        }
    }

    void park(Request request, boolean own) {
        parked.add(request);
        foreignParked += own ? 0 : 1;
    }

    void unpark(Request request, boolean own) {
        parked.remove(request);
        foreignParked -= own ? 0 : 1;
    }

    boolean isEmpty() {
        return holders.isEmpty() && waiting.isEmpty() && parked.isEmpty();
    }

    /** Nobody waits, and at most one holds. */
    boolean isQuiet() {
        return waiting.isEmpty() && parked.isEmpty() && holders.size() <= 1;
    }

    private @Nullable Claim exclusiveFrom(int position) {
        for (int i = position; i < waiting.size(); i++) {
            if (waiting.get(i).exclusive) {
                return waiting.get(i);
            }
        }
        return null;
    }

    private void countSubtree(Claim claim, int by) {
        if (claim.isSubtree()) {
            subtreeClaims += by;
        }
    }
}
