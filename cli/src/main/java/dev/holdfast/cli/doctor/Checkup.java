package dev.holdfast.cli.doctor;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.doctor.Observation.NodeView;
import dev.holdfast.protocol.v1.LimitInfo;
import dev.holdfast.protocol.v1.LimitListRequest;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.ListResponse;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.MemberListRequest;
import dev.holdfast.protocol.v1.StatusRequest;
import dev.holdfast.protocol.v1.StatusResponse;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Looks at all of a cluster, as far as it answers; a part that does not is left out, not waited for. */
final class Checkup {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int PAGE = 1_000;

    /** Hashing stops the machine for about as long as a snapshot takes to read: some ms for so many. */
    private static final long FEW = 100_000;

    private final Connection connection;
    private final Nodes nodes;

    Checkup(Connection connection, Nodes nodes) {
        this.connection = connection;
        this.nodes = nodes;
    }

    /**
     * Looks.
     *
     * @param mostLocks how many locks to look at
     * @param deep whether states are compared also where that holds the nodes up noticeably
     */
    Observation look(int mostLocks, boolean deep) {
        Map<String, NodeView> given = new LinkedHashMap<>();
        connection.addresses().stream()
                .map(address -> status(address, address))
                .forEach(view -> given.putIfAbsent(view.id(), view));
        List<MemberInfo> members = members(given.values());
        List<NodeView> all = withMembers(given, members);
        Observation seen = new Observation(all, members, List.of(), Map.of(), List.of(), true, connection.encrypts());
        Optional<String> leader = seen.leader().map(NodeView::address);
        List<LockRecord> locks = new ArrayList<>();
        boolean allLocks = leader.isEmpty() || locks(leader.get(), mostLocks, locks);
        boolean compares = leader.isPresent() && (deep || size(seen) <= FEW);
        return new Observation(
                all,
                members,
                leader.map(this::limits).orElse(List.of()),
                compares ? new StateComparison(connection, leader.orElseThrow()).hashes(all, deep) : Map.of(),
                locks,
                allLocks,
                connection.encrypts());
    }

    /** The nodes behind the addresses that were given, each once, and the members that none of these leads to. */
    private List<NodeView> withMembers(Map<String, NodeView> given, List<MemberInfo> members) {
        Map<String, NodeView> views = new LinkedHashMap<>(given);
        for (MemberInfo member : members) {
            String address = member.getClientAddress();
            if (!address.isEmpty() && !views.containsKey(member.getId())) {
                NodeView silent = views.remove(address);
                views.put(
                        member.getId(),
                        silent == null
                                ? status(address, member.getName())
                                : NodeView.silent(address, member.getName(), silent.problem()));
            }
        }
        return List.copyOf(views.values());
    }

    private static long size(Observation seen) {
        return seen.statuses()
                .mapToLong(status -> status.getLocks() + status.getLeases())
                .max()
                .orElse(0);
    }

    private NodeView status(String address, String name) {
        try {
            StatusResponse status =
                    nodes.admin(address, PATIENCE, admin -> admin.status(StatusRequest.getDefaultInstance()));
            return new NodeView(address, ReachRules.name(status), Optional.of(status), "");
        } catch (StatusRuntimeException e) {
            return NodeView.silent(address, name, Nodes.problem(e));
        }
    }

    private List<MemberInfo> members(Collection<NodeView> views) {
        for (NodeView view : views) {
            if (view.status().isPresent()) {
                try {
                    return nodes.admin(
                                    view.address(),
                                    PATIENCE,
                                    admin -> admin.memberList(MemberListRequest.getDefaultInstance()))
                            .getMembersList();
                } catch (StatusRuntimeException e) {
                    // Its leader may just have gone: the next one may know better.
                }
            }
        }
        return List.of();
    }

    private List<LimitInfo> limits(String leader) {
        try {
            return nodes.admin(leader, PATIENCE, admin -> admin.limitList(LimitListRequest.getDefaultInstance()))
                    .getLimitsList();
        } catch (StatusRuntimeException e) {
            return List.of();
        }
    }

    /** Whether these are all. */
    private boolean locks(String leader, int most, List<LockRecord> found) {
        String from = "";
        do {
            ListRequest request = ListRequest.newBuilder()
                    .setFrom(from)
                    .setLimit(Math.min(PAGE, most - found.size()))
                    .setStale(true)
                    .build();
            try {
                ListResponse page = nodes.locks(leader)
                        .withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                        .list(request);
                found.addAll(page.getLocksList());
                from = page.getNext();
            } catch (StatusRuntimeException e) {
                return false;
            }
        } while (!from.isEmpty() && found.size() < most);
        return from.isEmpty();
    }
}
