package dev.holdfast.server.propose;

import java.time.Duration;

/**
 * How requests are gathered into entries.
 *
 * @param mostInFlight entries on their way at once: what arrives meanwhile shares the next one, so more of them mean less in each
 * @param fewBytes what an entry carries while few callers have requests waiting, each a turn of which there are as many
 *     as fit: whoever comes next waits for all of it
 * @param mostBytes what it carries at most, a turn of each of many
 * @param mostRenewals leases renewed by one entry, as long as none names more at once
 * @param patience how long a request may stay without an answer from a majority
 * @param idleStamp how often cluster time is put into the log when nothing else is
 */
public record BatchSettings(
        int mostInFlight,
        int mostCommands,
        int fewBytes,
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
            64 * 1024,
            1024 * 1024,
            4_096,
            65_536,
            64L * 1024 * 1024,
            Duration.ofMillis(1_800),
            Duration.ofMillis(250),
            Duration.ofMillis(200));
}
