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

    /** Those of the waiting that want it exclusively: so that nobody has to look for them among the others. */
    final ClaimQueue waitingExclusive = new ClaimQueue();

    int foreignParked;

    /** The subtree claims among the holders and the waiting; null while there was none. */
    @Nullable
    SubtreeClaims subtrees;

    boolean triggered;

    void addHolder(Claim claim) {
        holders.add(claim);
        if (claim.isSubtree()) {
            subtrees().holders.add(claim);
        }
        if (claim.slot >= 0) {
            slots.set(claim.slot);
        }
    }

    void removeHolder(Claim claim) {
        holders.remove(claim);
        if (claim.isSubtree()) {
            subtrees().holders.remove(claim);
        }
        if (claim.slot >= 0) {
            slots.clear(claim.slot);
        }
    }

    void addWaiter(Claim claim) {
        waiting.add(claim);
        if (claim.exclusive) {
            waitingExclusive.add(claim);
        }
        if (claim.isSubtree()) {
            subtrees().waiting(claim.exclusive).add(claim);
        }
    }

    void removeWaiter(Claim claim) {
        waiting.remove(claim);
        if (claim.exclusive) {
            waitingExclusive.remove(claim);
        }
        if (claim.isSubtree()) {
            subtrees().waiting(claim.exclusive).remove(claim);
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

    private SubtreeClaims subtrees() {
        if (subtrees == null) {
            subtrees = new SubtreeClaims();
        }
        return subtrees;
    }

    /** Keys below look at these alone, however many others there are. */
    static final class SubtreeClaims {
        final ClaimQueue holders = new ClaimQueue();
        private final ClaimQueue exclusive = new ClaimQueue();
        private final ClaimQueue shared = new ClaimQueue();

        ClaimQueue waiting(boolean exclusively) {
            return exclusively ? exclusive : shared;
        }

        boolean isEmpty() {
            return holders.isEmpty() && exclusive.isEmpty() && shared.isEmpty();
        }
    }
}
