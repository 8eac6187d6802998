package dev.holdfast.server.settings;

import java.time.Duration;

/**
 * How long a node waits without hearing of a leader before it stands for election: a random time between the two.
 */
public record ElectionSettings(Duration shortest, Duration longest) {
    /** For any network: a pause of a second is not yet a failure. */
    public static final ElectionSettings DEFAULT = new ElectionSettings(Duration.ofSeconds(1), Duration.ofSeconds(2));
    /** For one local network and little garbage collection: fails over in less than a second. */
    public static final ElectionSettings FAST = new ElectionSettings(Duration.ofMillis(300), Duration.ofMillis(600));
}
