package dev.holdfast.core.state;

import dev.holdfast.core.LockKey;
import dev.holdfast.core.index.RadixTree;
import org.jspecify.annotations.Nullable;

/**
 * A lock in use: its holders and those who wait for it. A lock that nobody holds or waits for has no record.
 *
 * <table> <caption>States</caption> <tr><th>state</th><th>what happens</th><th>next</th></tr> <tr><td>available (no
 * record)</td><td>request</td><td>held, with a token</td></tr> <tr><td>held</td><td>release, or the lease
 * ends</td><td>held by the next waiter, or available</td></tr> <tr><td>held</td><td>renewal of the
 * lease</td><td>held</td></tr> <tr><td>held</td><td>request of the same owner</td><td>held, the same token</td></tr>
 * <tr><td>held</td><td>conflicting request</td><td>held, one more waits</td></tr> <tr><td>held</td><td>holder lost,
 * lock-delay</td><td>closed, then as after a release</td></tr> </table>
 *
 * <p>Ten million held locks must fit in memory, and nearly all have one holder and nobody waiting: that holder hangs
 * here directly, and only more company needs a {@link Crowd}.
 */
public final class Lock implements RadixTree.Entry {
    final LockKey key;

    /** How many permits there are; 0 if this is no semaphore. */
    int capacity;

    long createRevision;
    long modRevision;
    long version;

    /** The number of the snapshot that already has this lock as it was when that snapshot began. */
    int preservedIn;

    /** The one holder, while there is no crowd. */
    @Nullable
    Claim sole;

    @Nullable
    Crowd crowd;

    Lock(LockKey key) {
        this.key = key;
    }

    @Override
    public byte[] key() {
        return key.utf8();
    }

    public LockKey name() {
        return key;
    }

    public int capacity() {
        return capacity;
    }

    public long createRevision() {
        return createRevision;
    }

    public long modRevision() {
        return modRevision;
    }

    public long version() {
        return version;
    }

    public int preservedIn() {
        return preservedIn;
    }

    public void markPreservedIn(int snapshot) {
        preservedIn = snapshot;
    }

    /** Whether the lock has a record in the table; a fresh one has not until it is granted or awaited. */
    boolean isRecorded() {
        return createRevision != 0;
    }

    public int holderCount() {
        if (crowd != null) {
            return crowd.holders.size();
        }
        return sole == null ? 0 : 1;
    }

    /** How many permits of a semaphore are held, or lost and still closed. */
    public int permitsTaken() {
        return crowd == null ? 0 : crowd.permitsTaken();
    }

    /** Holders by revision, those that linger among them. */
    public Claim holder(int position) {
        if (crowd != null) {
            return crowd.holders.get(position);
        }
        if (sole == null || position != 0) {
            throw new IndexOutOfBoundsException(position);
        }
        return sole;
    }

    /** The holder with this grant revision, or null. */
    public @Nullable Claim holderWith(long revision) {
        if (crowd != null) {
            return crowd.holders.find(revision);
        }
        return sole != null && sole.request().revision == revision ? sole : null;
    }

    /** The holder of the lowest revision from this one up, or null. */
    public @Nullable Claim holderFrom(long revision) {
        if (crowd != null) {
            return crowd.holders.from(revision);
        }
        return sole != null && sole.request().revision >= revision ? sole : null;
    }

    public int waiterCount() {
        return crowd == null ? 0 : crowd.waiting.size();
    }

    /** Waiters by rank. */
    public Claim waiter(int position) {
        if (crowd == null) {
            throw new IndexOutOfBoundsException(position);
        }
        return crowd.waiting.get(position);
    }

    /** The waiter of the lowest rank from this one up, or null. */
    public @Nullable Claim waiterFrom(long rank) {
        return crowd == null ? null : crowd.waiting.from(rank);
    }

    public int waitersBelow(long rank) {
        return crowd == null ? 0 : crowd.waiting.countBelow(rank);
    }

    public @Nullable Claim firstExclusiveWaiter() {
        return crowd == null || crowd.waitingExclusive.isEmpty() ? null : crowd.waitingExclusive.first();
    }

    /** Of the waiters of lower rank that want it exclusively, the nearest. */
    public @Nullable Claim exclusiveWaiterBelow(long rank) {
        int below = crowd == null ? 0 : crowd.waitingExclusive.countBelow(rank);
        return crowd == null || below == 0 ? null : crowd.waitingExclusive.get(below - 1);
    }

    /** The parked request of the lowest rank from {@code rank} up, or null. */
    public @Nullable Request parkedFrom(long rank) {
        Claim parked = crowd == null ? null : crowd.parked.from(rank);
        return parked == null ? null : parked.request();
    }

    /** Whether some of those who are parked here are still to be tried. */
    public boolean isOpen() {
        return untriedRank() != Untried.NOWHERE;
    }

    /** The rank of the first who is parked here and still to be tried; {@link Untried#NOWHERE} if there is none. */
    public long untriedRank() {
        return crowd == null ? Untried.NOWHERE : crowd.untriedFrom;
    }

    /** Whether those parked here whom the sweep has passed are to be tried when it is over. */
    boolean isUntriedAgain() {
        return crowd != null && crowd.untriedAgain;
    }

    /** Whether requests are parked here that have no claim on this very key: subtrees made them. */
    public boolean hasForeignParked() {
        return crowd != null && crowd.foreignParked > 0;
    }

    /** Whether anybody holds or awaits this key as a subtree. */
    public boolean hasSubtree() {
        if (crowd == null) {
            return sole != null && sole.isSubtree();
        }
        return crowd.subtrees != null && !crowd.subtrees.isEmpty();
    }

    /** Of those who hold this key as a subtree, the one at this position by revision, or null. */
    public @Nullable Claim subtreeHolder(int position) {
        if (crowd == null) {
            return position == 0 && sole != null && sole.isSubtree() ? sole : null;
        }
        return crowd.subtrees != null && position < crowd.subtrees.holders.size()
                ? crowd.subtrees.holders.get(position)
                : null;
    }

    /** Of those who wait for this key as a subtree in one mode, the first. */
    public @Nullable Claim firstSubtreeWaiter(boolean exclusive) {
        ClaimQueue waiting = crowd == null || crowd.subtrees == null ? null : crowd.subtrees.waiting(exclusive);
        return waiting == null || waiting.isEmpty() ? null : waiting.first();
    }

    /** Whether nobody holds or awaits it, though requests may be parked here. */
    boolean isUnclaimed() {
        return holderCount() == 0 && waiterCount() == 0;
    }

    boolean isUnused() {
        return crowd != null ? crowd.isEmpty() : sole == null;
    }

    /** Makes a crowd of the sole holder. */
    Crowd crowd() {
        if (crowd == null) {
            crowd = new Crowd();
            if (sole != null) {
                crowd.addHolder(sole);
                sole = null;
            }
        }
        return crowd;
    }

    void addHolder(Claim claim) {
        if (crowd == null && sole == null && capacity == 0) {
            sole = claim;
        } else {
            crowd().addHolder(claim);
        }
    }

    void removeHolder(Claim claim) {
        if (crowd == null) {
            sole = null;
        } else {
            crowd.removeHolder(claim);
            disperse();
        }
    }

    void removeWaiter(Claim claim) {
        crowd().removeWaiter(claim);
    }

    void unpark(Request request, boolean own) {
        crowd().unpark(request, own);
    }

    /** Goes back to a sole holder, or none, once the company has gone. */
    void disperse() {
        if (crowd != null && crowd.isQuiet() && capacity == 0) {
            sole = crowd.holders.isEmpty() ? null : crowd.holders.first();
            crowd = null;
        }
    }

    @Override
    public String toString() {
        return key.toString();
    }
}
