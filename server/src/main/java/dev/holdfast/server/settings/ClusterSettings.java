package dev.holdfast.server.settings;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a node comes to its cluster at its first start; a node that has been a member finds all of it in its data
 * directory.
 *
 * @param members whom {@link Mode#FORM} forms the cluster of; empty in the other modes
 * @param join client addresses of the cluster that {@link Mode#JOIN} joins; empty in the other modes
 * @param replaces whose place a joining node takes, {@code name} or {@code name@uuid}
 */
public record ClusterSettings(Mode mode, List<StaticMember> members, List<HostPort> join, Optional<String> replaces) {

    /** Which of the two ways into a cluster, or neither. */
    public enum Mode {
        /** No cluster: one node with a log on its own disk, not replicated. */
        SINGLE,
        /** A new cluster of the members listed. */
        FORM,
        /** One more member of a cluster that is there. */
        JOIN
    }

    public ClusterSettings {
        members = List.copyOf(members);
        join = List.copyOf(join);
    }

    static ClusterSettings read(Values values) {
        List<StaticMember> members =
                values.read(Setting.CLUSTER_MEMBERS, MemberList::parse).orElse(List.of());
        List<HostPort> join =
                values.read(Setting.CLUSTER_JOIN, HostPort::parseList).orElse(List.of());
        Optional<String> replaces = values.read(Setting.CLUSTER_REPLACES, IdentitySettings::checkedNameOrId);
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

    Optional<StaticMember> member(String name) {
        return members.stream().filter(member -> member.name().equals(name)).findFirst();
    }

    String memberNames() {
        return members.stream().map(StaticMember::name).collect(Collectors.joining(", "));
    }
}
