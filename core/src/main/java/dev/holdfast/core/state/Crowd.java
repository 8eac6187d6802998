package dev.holdfast.core.state;

import dev.holdfast.core.Permits;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The holders and waiters of a lock that has more than one holder, or any waiter. */
final class Crowd {
    final ClaimQueue holders = new ClaimQueue();

    /** One claim for each waiting request on this lock. */
    final ClaimQueue waiting = new ClaimQueue();

    /** The waiting requests that are tried when this lock is triggered. */
    final ClaimQueue parked = new ClaimQueue();

    /** The permits that are taken, and how many they are. */
    private final BitSet slots = new BitSet(0);

    private int taken;

    /** Those of the waiting that want it exclusively: so that nobody has to look for them among the others. */
    final ClaimQueue waitingExclusive = new ClaimQueue();

    int foreignParked;

    /** The subtree claims among the holders and the waiting; null while there was none. */
    @Nullable
    SubtreeClaims subtrees;

    /** Whether the next pass is to open this lock. */
    boolean triggered;

    /** The rank of the first who is parked here and to be tried, as are all behind it; see {@link Untried}. */
    long untriedFrom = Untried.NOWHERE;

    /** Whether all who are parked here are to be tried when the sweep is over. */
    boolean untriedAgain;

    void addHolder(Claim claim) {
        holders.add(claim);
        if (claim.isSubtree()) {
            subtrees().holders.add(claim);
        }
        mark(claim.permits, true);
    }

    void removeHolder(Claim claim) {
        holders.remove(claim);
        if (claim.isSubtree()) {
            subtrees().holders.remove(claim);
        }
        mark(claim.permits, false);
    }

    int permitsTaken() {
        return taken;
    }

    /** The lowest permits that are free. */
    Permits lowestFree(int count) {
        Permits.Ranges ranges = new Permits.Ranges();
        int missing = count;
        int first = 0;
        while (missing > 0) {
            first = slots.nextClearBit(first);
            int next = slots.nextSetBit(first);
            int free = next < 0 ? missing : Math.min(missing, next - first);
            ranges.add(first, first + free - 1);
            missing -= free;
            first += free;
        }
        return ranges.toPermits();
    }

    private void mark(Permits permits, boolean held) {
        for (int range = 0; range < permits.rangeCount(); range++) {
            slots.set(permits.first(range), permits.last(range) + 1, held);
        }
        taken += held ? permits.count() : -permits.count();
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
