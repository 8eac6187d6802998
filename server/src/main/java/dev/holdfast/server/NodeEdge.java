package dev.holdfast.server;

import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Role;
import dev.holdfast.server.grpc.AdminEdge;
import dev.holdfast.server.grpc.CallScopes;
import dev.holdfast.server.grpc.GrpcEdge;
import dev.holdfast.server.operation.Derivation;
import dev.holdfast.server.operation.NodeFacts;
import dev.holdfast.server.operation.NodeParts;
import dev.holdfast.server.peer.NodeServices;
import dev.holdfast.server.rest.RestEdge;
import dev.holdfast.server.websocket.SocketEdge;
import io.grpc.BindableService;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** What a running node can be asked, and whether it can answer now; a port of some kind carries the calls. */
final class NodeEdge {
    private final NodeRuntime runtime;
    private final NodeServices services;
    private final SettableHealthChecker ready;
    private final GrpcEdge grpc;
    private final RestEdge rest;
    private final SocketEdge sockets;

    /**
     * An edge that nobody can call yet.
     *
     * @param others further services beside those for clients and operators
     * @param ready kept up to date once {@link #follow} was called
     */
    NodeEdge(NodeRuntime runtime, CallScopes scopes, List<BindableService> others, SettableHealthChecker ready) {
        this.runtime = runtime;
        this.services = runtime.services();
        this.ready = ready;
        NodeFacts facts = new NodeFacts(
                clusterNumber(services.cluster()),
                services.self().id().number(),
                services.neighbours(),
                () -> services.neighbours().role() instanceof Role.Leading,
                () -> services.members().stream()
                        .map(Member::clientAddress)
                        .filter(client -> !client.isEmpty())
                        .toList());
        NodeParts parts = new NodeParts(
                services.requests(), services.reads(), services.replica(), runtime.leases(), runtime.watches(), facts);
        AdminEdge admin = new AdminEdge(services, parts, runtime.hashes(), scopes);
        this.grpc = new GrpcEdge(
                parts, scopes, Stream.concat(others.stream(), Stream.of(admin)).toList(), ready);
        admin.counts(grpc.sessions(), runtime.metrics()::waiters);
        Derivation derivation = new Derivation(services.cluster());
        this.rest = new RestEdge(parts, derivation);
        this.sockets = new SocketEdge(parts, derivation);
        runtime.metrics().gauge("holdfast.sessions", () -> grpc.sessions().count());
    }

    private static long clusterNumber(String cluster) {
        UUID id = UUID.fromString(cluster);
        return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    }

    GrpcEdge grpc() {
        return grpc;
    }

    RestEdge rest() {
        return rest;
    }

    SocketEdge sockets() {
        return sockets;
    }

    /** Follows who leads from now on. */
    void follow() {
        // Not in the thread that tells: it must not be made to ask the log.
        runtime.onRole(role -> services.executor().execute(() -> roleChanged(role)));
        roleChanged(services.neighbours().role());
    }

    private void roleChanged(Role role) {
        boolean known =
                role instanceof Role.Leading || services.neighbours().leader().isPresent();
        ready.setHealthy(known);
        if (role instanceof Role.Following) {
            services.neighbours()
                    .leaderAddress()
                    .ifPresent(leader -> grpc.sessions().move(leader, "another node leads"));
        }
    }

    /** Tells sessions to go elsewhere. */
    void drain() {
        grpc.sessions().move("", "this node is stopping");
    }
}
