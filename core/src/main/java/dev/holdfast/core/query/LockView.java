package dev.holdfast.core.query;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import java.util.List;

/**
 * A lock as an operator sees it.
 *
 * @param capacity how many permits it has; 0 if it is no semaphore
 * @param holders the first by the age of their grants
 * @param holderCount all holders; who holds several permits of a semaphore is one
 * @param permitsTaken how many permits they have together; 0 if it is no semaphore
 * @param waiters the first of the queue, in order
 * @param waiterCount the whole queue
 */
public record LockView(
        LockKey key,
        int capacity,
        long createRevision,
        long modRevision,
        long version,
        List<Holder> holders,
        int holderCount,
        int permitsTaken,
        List<Waiter> waiters,
        int waiterCount) {

    public LockView {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    /**
     * One who holds.
     *
     * @param ageMillis how long it has held
     * @param leaseLeftMillis how long its lease lives unless renewed
     * @param holdEndMillis cluster time at which the grant, or the lock-delay, ends; 0 for none
     * @param lingering the holder was lost, and lock-delay keeps the key closed
     */
    public record Holder(
            String clientId,
            long token,
            Hold hold,
            long ageMillis,
            long wallMillis,
            long leaseLeftMillis,
            long holdEndMillis,
            boolean lingering,
            String purpose,
            Metadata metadata) {}

    /**
     * One who waits.
     *
     * @param revision its place: older is smaller
     * @param wants of this key
     * @param predecessor the place of the one before it in this queue; 0 for the first
     */
    public record Waiter(
            String clientId,
            long revision,
            long predecessor,
            Hold wants,
            long ageMillis,
            long wallMillis,
            long leaseLeftMillis,
            long waitEndMillis,
            boolean upgrade,
            String purpose,
            Metadata metadata) {}
}
