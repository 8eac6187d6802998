package dev.holdfast.server.operation;

import java.time.Duration;

/**
 * When watches do something without being asked.
 *
 * @param progress how often a watch that wants it says how far it has come
 * @param retry how often a watch that starts ahead of this node looks again
 * @param patience how long it does so
 */
public record WatchTiming(Duration progress, Duration retry, Duration patience) {
    public static final WatchTiming DEFAULT =
            new WatchTiming(Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ofSeconds(2));
}
