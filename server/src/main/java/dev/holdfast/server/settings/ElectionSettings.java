package dev.holdfast.server.settings;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a node waits without hearing of a leader before it stands for election: a random time between the two.
 */
public record ElectionSettings(Duration shortest, Duration longest) {
    /** For any network: a pause of a second is not yet a failure. */
    public static final ElectionSettings DEFAULT = new ElectionSettings(Duration.ofSeconds(1), Duration.ofSeconds(2));
    /** For one local network and little garbage collection: fails over in less than a second. */
    public static final ElectionSettings FAST = new ElectionSettings(Duration.ofMillis(300), Duration.ofMillis(600));

    private static final Duration LEAST = Duration.ofMillis(50);
    private static final Duration MOST = Duration.ofSeconds(60);

    private enum Profile {
        DEFAULT,
        FAST
    }

    static ElectionSettings read(Values values) {
        Profile profile = values.read(Setting.ELECTION_PROFILE, text -> Choices.read(text, Profile.values()))
                .orElse(Profile.DEFAULT);
        boolean minGiven = values.isGiven(Setting.ELECTION_MIN);
        boolean maxGiven = values.isGiven(Setting.ELECTION_MAX);
        if (!minGiven && !maxGiven) {
            ElectionSettings chosen = profile == Profile.FAST ? FAST : DEFAULT;
            values.derive(Setting.ELECTION_MIN, Quantities.words(chosen.shortest), Setting.ELECTION_PROFILE);
            values.derive(Setting.ELECTION_MAX, Quantities.words(chosen.longest), Setting.ELECTION_PROFILE);
            return chosen;
        }
        if (values.isGiven(Setting.ELECTION_PROFILE)) {
            values.refuse(Setting.ELECTION_PROFILE, "must not be given beside election.min and election.max");
        }
        Optional<Duration> shortest = time(values, Setting.ELECTION_MIN);
        Optional<Duration> longest = time(values, Setting.ELECTION_MAX);
        if (!minGiven || !maxGiven) {
            Setting lonely = minGiven ? Setting.ELECTION_MIN : Setting.ELECTION_MAX;
            Setting missing = minGiven ? Setting.ELECTION_MAX : Setting.ELECTION_MIN;
            values.refuse(lonely, "needs " + missing.key() + " beside it");
        }
        if (shortest.isPresent() && longest.isPresent() && shortest.get().compareTo(longest.get()) >= 0) {
            // Nodes that all wait the same time stand against each other again and again.
            values.refuse(
                    Setting.ELECTION_MAX, "must be above election.min, which is " + Quantities.words(shortest.get()));
        }
        return new ElectionSettings(shortest.orElse(DEFAULT.shortest), longest.orElse(DEFAULT.longest));
    }

    private static Optional<Duration> time(Values values, Setting setting) {
        return values.read(setting, text -> Quantities.duration(text, LEAST, MOST));
    }
}
