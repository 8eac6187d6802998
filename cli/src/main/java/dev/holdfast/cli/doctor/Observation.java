package dev.holdfast.cli.doctor;

import dev.holdfast.protocol.v1.LimitInfo;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.StatusResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that was seen of a cluster, for rules to judge.
 *
 * @param nodes what each address said that was given or that a member advertises
 * @param members as the leader has them; as one node remembers them where nobody leads
 * @param hashes of the state after one agreed entry, by node; empty if they were not compared
 * @param locks the first of them by key, with all that {@link #locksAreAll} says
 * @param encrypted whether the nodes were spoken to over TLS
 */
record Observation(
        List<NodeView> nodes,
        List<MemberInfo> members,
        List<LimitInfo> limits,
        Map<String, Hash> hashes,
        List<LockRecord> locks,
        boolean locksAreAll,
        boolean encrypted) {

    Observation {
        nodes = List.copyOf(nodes);
        members = List.copyOf(members);
        limits = List.copyOf(limits);
        hashes = Map.copyOf(hashes);
        locks = List.copyOf(locks);
    }

    /**
     * One address and what it said.
     *
     * @param name the member's, or the address where that is not known
     * @param problem why there is no status
     */
    record NodeView(String address, String name, Optional<StatusResponse> status, String problem) {
        static NodeView silent(String address, String name, String problem) {
            return new NodeView(address, name, Optional.empty(), problem);
        }

        /** The member behind the address; the address itself where that is not known. */
        String id() {
            return status.map(StatusResponse::getMember).orElse(address);
        }

        /** For people: the name with its address. */
        String words() {
            return name.equals(address) ? address : name + " (" + address + ")";
        }
    }

    /** A state, after the entry at {@code index}. */
    record Hash(long index, long value) {}

    Stream<StatusResponse> statuses() {
        return nodes.stream().flatMap(node -> node.status().stream());
    }

    Optional<NodeView> leader() {
        return nodes.stream()
                .filter(node -> node.status()
                        .filter(status -> status.getRole().equals("leading"))
                        .isPresent())
                .findFirst();
    }

    /** What the node that sees the most of the cluster sees. */
    Optional<StatusResponse> widest() {
        return leader().flatMap(NodeView::status)
                .or(() -> statuses().max((a, b) -> Integer.compare(a.getMembersReachable(), b.getMembersReachable())));
    }

    Optional<Long> limit(String name) {
        return limits.stream()
                .filter(limit -> limit.getName().equals(name))
                .map(LimitInfo::getValue)
                .findFirst();
    }
}
