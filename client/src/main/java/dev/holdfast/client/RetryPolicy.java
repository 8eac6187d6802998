package dev.holdfast.client;

import dev.holdfast.client.api.UnavailableException;
import java.time.Duration;

/**
 * How calls are repeated while no node can carry them out. A wait in a queue is no such time: it lasts as long as asked.
 *
 * @param patience how long before {@link UnavailableException}
 * @param firstPause bound of the first pause; each is twice the one before, and a random part of its bound is taken
 * @param longestPause bound of all pauses
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
