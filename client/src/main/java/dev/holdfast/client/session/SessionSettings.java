package dev.holdfast.client.session;

import java.time.Duration;

/**
 * How a session behaves.
 *
 * @param clientId who this client is, for people; unique, for threads are told apart within it
 * @param ttl how long the cluster keeps what this client holds when it hears nothing more
 * @param lockDelay how long keys stay closed after this client was lost with them
 * @param patience how long a call is tried while no node can carry it out
 * @param firstPause bound of the first pause between two tries; each is twice the one before
 * @param longestPause bound of all pauses
 */
public record SessionSettings(
        String clientId,
        Duration ttl,
        Duration lockDelay,
        Duration patience,
        Duration firstPause,
        Duration longestPause) {
    /** A server says within two seconds that it has no quorum; one that says nothing for longer is no server. */
    private static final Duration SILENCE = Duration.ofSeconds(3);

    /** How long to wait for a first word. */
    private static final Duration GREETING = Duration.ofMillis(1_500);

    private static final Duration LOOK = Duration.ofMillis(100);

    public long ttlMillis() {
        return ttl.toMillis();
    }

    long patienceNanos() {
        return patience.toNanos();
    }

    long firstPauseNanos() {
        return firstPause.toNanos();
    }

    long longestPauseNanos() {
        return longestPause.toNanos();
    }

    long silenceNanos() {
        return SILENCE.toNanos();
    }

    long greetingNanos() {
        return GREETING.toNanos();
    }

    long lookNanos() {
        return LOOK.toNanos();
    }
}
