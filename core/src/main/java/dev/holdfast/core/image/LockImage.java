package dev.holdfast.core.image;

import dev.holdfast.core.LockKey;
import java.util.List;

/**
 * A lock in use, as a value.
 *
 * @param capacity how many permits it has; 0 if it is no semaphore
 * @param untriedFrom the rank from which on those who are parked here are to be tried; {@code Long.MAX_VALUE} for none
 * @param untriedAgain whether those whom the sweep has passed are to be tried when it is over
 * @param requests those whose first claim is on this key: holders by revision, then waiters by rank
 */
public record LockImage(
        LockKey key,
        int capacity,
        long createRevision,
        long modRevision,
        long version,
        long untriedFrom,
        boolean untriedAgain,
        List<RequestImage> requests) {

    public LockImage {
        requests = List.copyOf(requests);
    }
}
