package dev.holdfast.server.settings.source;

import dev.holdfast.server.settings.ClusterSettings;
import dev.holdfast.server.settings.ClusterSettings.Mode;
import dev.holdfast.server.settings.HostPort;
import dev.holdfast.server.settings.StaticMember;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads how a node comes to its cluster. */
final class ClusterReader {
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
}
