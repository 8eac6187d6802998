package dev.holdfast.client.api;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why a request waits: who is in its way, who is in theirs, and so on.
 *
 * @param blockedOn the key that it cannot get
 * @param position how many wait before it there
 * @param complete false if there were more steps than could be followed
 */
public record Explanation(String blockedOn, int position, List<Step> steps, boolean complete) {
    public Explanation {
        steps = List.copyOf(steps);
    }

    /** How somebody is in the way. */
    public enum How {
        HOLDS,
        WAITS_AHEAD,
        /** The holder was lost, and its lock-delay keeps the key locked for a while. */
        LOCK_DELAY
    }

    /**
     * A waiter, and somebody in its way.
     *
     * @param token the token of the blocker's grant; 0 if the blocker waits ahead
     * @param age how long the blocker has held it or waited for it
     */
    public record Step(
            String waiter,
            String key,
            How how,
            String blocker,
            long token,
            Duration age,
            Duration leaseLeft,
            String purpose,
            Metadata metadata) {
        /** For people. */
        public String text() {
            String way = switch (how) {
                case HOLDS -> " holds it (";
                case WAITS_AHEAD -> " waits ahead (";
                case LOCK_DELAY -> " was lost with it, and its lock-delay runs (";
            };
            return waiter + " waits for " + key + ": " + blocker + way + age.toMillis() + " ms"
                    + (purpose.isEmpty() ? ")" : ", " + purpose + ")");
        }
    }

    /** For people: one line for each step. */
    public String text() {
        return steps.stream().map(Step::text).collect(Collectors.joining("\n"))
                + (complete ? "" : "\n... and more than was followed");
    }
}
