package dev.holdfast.core.state;

import java.util.BitSet;

/** The holders and waiters of a lock that has more than one holder, or any waiter. */
final class Crowd {
    final ClaimQueue holders = new ClaimQueue();

    /** One claim for each waiting request on this lock. */
    final ClaimQueue waiting = new ClaimQueue();

    /** The waiting requests that are tried when this lock is triggered. */
    final ClaimQueue parked = new ClaimQueue();

    /** Taken permits. */
    final BitSet slots = new BitSet(0);

    /** Those of the waiting that want it exclusively: so that nobody has to look for them among the others. */
    final ClaimQueue waitingExclusive = new ClaimQueue();

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
        if (claim.exclusive) {
            waitingExclusive.add(claim);
        }
    }

    void removeWaiter(Claim claim) {
        waiting.remove(claim);
        countSubtree(claim, -1);
        if (claim.exclusive) {
            waitingExclusive.remove(claim);
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

    private void countSubtree(Claim claim, int by) {
        if (claim.isSubtree()) {
            subtreeClaims += by;
        }
    }
}
