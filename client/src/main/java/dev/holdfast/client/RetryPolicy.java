package dev.holdfast.client;

import dev.holdfast.client.api.UnavailableException;
import java.time.Duration;

/**
 * How calls are retried while no node can carry them out. Waiting in a lock's queue does not count: it lasts as long as
 * requested.
 *
 * @param patience how long to retry before {@link UnavailableException} is thrown
 * @param firstPause upper bound of the first pause; each bound is twice the one before, and each pause is a random part
 *     of its bound
 * @param longestPause upper bound of all pauses
 */
public record RetryPolicy(Duration patience, Duration firstPause, Duration longestPause) {
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(Duration.ofSeconds(10), Duration.ofMillis(20), Duration.ofSeconds(1));

    public RetryPolicy {
        if (patience.isNegative() || firstPause.toMillis() < 1 || longestPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException(
                    "retry: patience must not be negative, firstPause at least 1 ms, longestPause no shorter");
        }
    }

    public RetryPolicy patience(Duration longest) {
        return new RetryPolicy(longest, firstPause, longestPause);
    }
}
