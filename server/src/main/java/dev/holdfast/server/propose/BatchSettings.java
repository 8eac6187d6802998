package dev.holdfast.server.propose;

import java.time.Duration;

/**
 * How requests are gathered into entries.
 *
 * @param mostInFlight entries on their way at once: what arrives meanwhile shares the next one, so more of them mean less in each
 * @param patience how long a request may stay without an answer from a majority
 * @param idleStamp how often cluster time is put into the log when nothing else is
 */
public record BatchSettings(
        int mostInFlight,
        int mostCommands,
        int mostBytes,
        int mostRenewals,
        int mostQueued,
        long mostQueuedBytes,
        Duration patience,
        Duration idleStamp,
        Duration longestRenewalWait) {

    public static final BatchSettings DEFAULT = new BatchSettings(
            1,
            4_096,
            1024 * 1024,
            100_000,
            65_536,
            64L * 1024 * 1024,
            Duration.ofMillis(1_800),
            Duration.ofMillis(250),
            Duration.ofMillis(200));
}
