package dev.holdfast.client.api;

import java.util.List;

/**
 * A lock that somebody holds or waits for, as it was at one moment.
 *
 * @param permits how many permits a semaphore has; 0 for other locks
 * @param revision when it last changed
 * @param holders the first holders, by the age of their grants
 * @param holderCount the number of all holders; who holds several permits of a semaphore counts once
 * @param permitsTaken how many permits of a semaphore they have together
 * @param waiters the first waiters, in order
 * @param waiterCount the number of all waiters
 */
public record LockInfo(
        String key,
        int permits,
        long revision,
        List<HolderInfo> holders,
        int holderCount,
        int permitsTaken,
        List<WaiterInfo> waiters,
        int waiterCount) {
    public LockInfo {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }
}
