package dev.holdfast.server.settings.source;

import dev.holdfast.server.settings.ClusterSettings;
import dev.holdfast.server.settings.ClusterSettings.Mode;
import dev.holdfast.server.settings.ElectionSettings;
import dev.holdfast.server.settings.HostPort;
import dev.holdfast.server.settings.StaticMember;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads how a node comes to its cluster, and how that elects a leader. */
final class ClusterReader {
    private static final Duration SHORTEST_ELECTION = Duration.ofMillis(50);
    private static final Duration LONGEST_ELECTION = Duration.ofSeconds(60);

    private enum Profile {
        DEFAULT,
        FAST
    }

    private ClusterReader() {}

    static ClusterSettings read(Values values) {
        List<StaticMember> members =
                values.read(Setting.CLUSTER_MEMBERS, MemberList::parse).orElse(List.of());
        List<HostPort> join =
                values.read(Setting.CLUSTER_JOIN, ClusterReader::addresses).orElse(List.of());
        Optional<String> replaces = values.read(Setting.CLUSTER_REPLACES, IdentityReader::checkedNameOrId);
        boolean forming = values.isGiven(Setting.CLUSTER_MEMBERS);
        boolean joining = values.isGiven(Setting.CLUSTER_JOIN);
        if (forming && joining) {
            values.refuse(
                    Setting.CLUSTER_JOIN,
                    "must not be given beside cluster.members: a node either forms a new cluster or joins one");
        }
        if (replaces.isPresent() && !joining) {
            values.refuse(Setting.CLUSTER_REPLACES, "needs cluster.join: only a joining node takes another's place");
        }
        Mode mode = joining ? Mode.JOIN : forming ? Mode.FORM : Mode.SINGLE;
        return new ClusterSettings(mode, members, join, replaces);
    }

    private static List<HostPort> addresses(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .map(HostPort::parse)
                .toList();
    }

    /** The election times: by a profile's name, or both given. */
    static ElectionSettings readElection(Values values) {
        Profile profile = values.read(Setting.ELECTION_PROFILE, text -> Notation.read(text, Profile.values()))
                .orElse(Profile.DEFAULT);
        boolean minGiven = values.isGiven(Setting.ELECTION_MIN);
        boolean maxGiven = values.isGiven(Setting.ELECTION_MAX);
        if (!minGiven && !maxGiven) {
            ElectionSettings chosen = profile == Profile.FAST ? ElectionSettings.FAST : ElectionSettings.DEFAULT;
            values.derive(Setting.ELECTION_MIN, Notation.words(chosen.shortest()), Setting.ELECTION_PROFILE);
            values.derive(Setting.ELECTION_MAX, Notation.words(chosen.longest()), Setting.ELECTION_PROFILE);
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
                    Setting.ELECTION_MAX, "must be above election.min, which is " + Notation.words(shortest.get()));
        }
        return new ElectionSettings(
                shortest.orElse(ElectionSettings.DEFAULT.shortest()),
                longest.orElse(ElectionSettings.DEFAULT.longest()));
    }

    private static Optional<Duration> time(Values values, Setting setting) {
        return values.read(setting, text -> Notation.duration(text, SHORTEST_ELECTION, LONGEST_ELECTION));
    }
}
