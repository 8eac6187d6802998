package dev.holdfast.core.query;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import java.util.List;

/**
 * Why a request waits: who is in its way, who is in theirs, and so on.
 *
 * @param revision its place: older is smaller
 * @param wants what it waits for
 * @param position how many requests are before it on the key that blocks it
 * @param steps nearest first
 * @param complete false if the walk was stopped by its bound
 */
public record Explanation(
        long revision, List<Hold> wants, LockKey blockedOn, int position, List<Step> steps, boolean complete) {

    public Explanation {
        wants = List.copyOf(wants);
        steps = List.copyOf(steps);
    }

    /** How somebody is in the way. */
    public enum How {
        HOLDS,
        /** Waits for the same, and is older. */
        WAITS_AHEAD,
        /** Was lost, and lock-delay keeps the key closed. */
        LOCK_DELAY
    }

    /**
     * One edge of the chain.
     *
     * @param waiter who waits
     * @param waiterRevision the place of its request
     * @param blocker who is in the way
     * @param blockerToken its token; 0 if it waits itself
     */
    public record Step(
            String waiter,
            long waiterRevision,
            LockKey key,
            How how,
            String blocker,
            long blockerToken,
            long ageMillis,
            long leaseLeftMillis,
            String purpose,
            Metadata metadata) {}
}
