package dev.holdfast.server.settings.source;

import dev.holdfast.server.settings.ElectionSettings;
import java.time.Duration;
import java.util.Optional;

/** Reads the election times: by a profile's name, or both given. */
final class ElectionReader {
    private static final Duration MIN = Duration.ofMillis(50);
    private static final Duration MAX = Duration.ofSeconds(60);

    private enum Profile {
        DEFAULT,
        FAST
    }

    private ElectionReader() {}

    static ElectionSettings read(Values values) {
        Profile profile = values.read(Setting.ELECTION_PROFILE, text -> Choices.read(text, Profile.values()))
                .orElse(Profile.DEFAULT);
        boolean minGiven = values.isGiven(Setting.ELECTION_MIN);
        boolean maxGiven = values.isGiven(Setting.ELECTION_MAX);
        if (!minGiven && !maxGiven) {
            ElectionSettings chosen = profile == Profile.FAST ? ElectionSettings.FAST : ElectionSettings.DEFAULT;
            values.derive(Setting.ELECTION_MIN, Quantities.words(chosen.shortest()), Setting.ELECTION_PROFILE);
            values.derive(Setting.ELECTION_MAX, Quantities.words(chosen.longest()), Setting.ELECTION_PROFILE);
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
        return new ElectionSettings(
                shortest.orElse(ElectionSettings.DEFAULT.shortest()),
                longest.orElse(ElectionSettings.DEFAULT.longest()));
    }

    private static Optional<Duration> time(Values values, Setting setting) {
        return values.read(setting, text -> Quantities.duration(text, MIN, MAX));
    }
}
