package dev.holdfast.client.session;

import java.util.random.RandomGenerator;

/** Pauses that grow, each a random part of its bound: clients that failed together do not come back together. */
public final class Backoff {
    private final long firstNanos;
    private final long longestNanos;
    private final RandomGenerator random;
    private int failures;

    Backoff(SessionSettings settings, RandomGenerator random) {
        this.firstNanos = settings.firstPauseNanos();
        this.longestNanos = settings.longestPauseNanos();
        this.random = random;
    }

    public long next() {
        long bound = Math.min(longestNanos, firstNanos << Math.min(failures, 20));
        failures++;
        return bound / 2 + random.nextLong(bound / 2 + 1);
    }

    public void reset() {
        failures = 0;
    }
}
