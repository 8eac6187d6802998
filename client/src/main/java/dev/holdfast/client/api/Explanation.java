package dev.holdfast.client.api;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why a request waits: who is in its way, who is in theirs, and so on.
 *
 * @param blockedOn the key that it cannot have
 * @param position how many wait before it there
 * @param complete false if there was more than could be followed
 */
public record Explanation(String blockedOn, int position, List<Step> steps, boolean complete) {
    public Explanation {
        steps = List.copyOf(steps);
    }

    /** How somebody is in the way. */
    public enum How {
        HOLDS,
        WAITS_AHEAD,
        /** Was lost, and the key stays closed for a while. */
        LOCK_DELAY
    }

    /**
     * One who waits, and one who is in its way.
     *
     * @param token the blocker's grant; 0 for one who waits ahead
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
