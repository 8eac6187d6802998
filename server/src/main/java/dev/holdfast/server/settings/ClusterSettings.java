package dev.holdfast.server.settings;

import java.util.List;
import java.util.Optional;

/**
 * How a node finds its cluster at its first start; a node that has been a member finds it in its data directory.
 *
 * @param members whom {@link Mode#FORM} forms the cluster of; empty in the other modes
 * @param join client addresses of the cluster that {@link Mode#JOIN} joins; empty in the other modes
 * @param replaces the member that a joining node replaces, {@code name} or {@code name@uuid}
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

    /** The member of that name, if it is listed. */
    public Optional<StaticMember> member(String name) {
        return members.stream().filter(member -> member.name().equals(name)).findFirst();
    }
}
