package dev.holdfast.server;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Role;
import dev.holdfast.server.grpc.AdminEdge;
import dev.holdfast.server.grpc.GrpcEdge;
import dev.holdfast.server.grpc.NodeFacts;
import dev.holdfast.server.grpc.NodeParts;
import dev.holdfast.server.peer.NodeServices;
import dev.holdfast.server.peer.PeerEdge;
import dev.holdfast.server.settings.HostPort;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The one port that clients, operators and peers use: gRPC, health and metrics.
 *
 * <p>It opens before the node has a log, for peers alone, so that a cluster can be formed through it.
 */
final class ClientPort implements AutoCloseable {
    private static final Duration HEADER_TIME = Duration.ofSeconds(10);
    private static final int MOST_CONNECTIONS = 20_000;

    private final HostPort address;
    private final PeerEdge peers;
    private final SettableHealthChecker ready = new SettableHealthChecker(false);
    private @Nullable Server server;
    private @Nullable GrpcEdge edge;

    ClientPort(HostPort address, PeerEdge peers) {
        this.address = address;
        this.peers = peers;
    }

    void open() {
        Server opened = configure(Server.builder()
                        .http(new InetSocketAddress(address.host(), address.port()))
                        .maxNumConnections(MOST_CONNECTIONS)
                        .gracefulShutdownTimeout(Duration.ZERO, Duration.ofSeconds(1)))
                .service(GrpcService.builder()
                        .addService(peers)
                        .useBlockingTaskExecutor(false)
                        .build())
                // Not "no such method", which a client would take for good.
                .serviceUnder("/", (context, request) -> HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE))
                .build();
        try {
            opened.start().join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(
                    "client.address: cannot listen on " + address + ": " + cause.getMessage(), cause);
        }
        server = opened;
    }

    private ServerBuilder configure(ServerBuilder builder) {
        // Streams live as long as their clients, and a call may wait for a lock as long as it likes.
        return builder.requestTimeout(Duration.ZERO)
                .maxRequestLength(0)
                .http1MaxInitialLineLength(8 * 1024)
                .idleTimeout(Duration.ofMinutes(5))
                .pingInterval(HEADER_TIME)
                .service("/healthz", (context, request) -> HttpResponse.of(HttpStatus.OK))
                // Not Armeria's own health service: it waits for the start of a server, and this one is running already
                // when it opens to everybody.
                .service(
                        "/readyz",
                        (context, request) ->
                                HttpResponse.of(ready.isHealthy() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE));
    }

    /** Serves everything. */
    void serve(NodeRuntime runtime) {
        NodeServices services = runtime.services();
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
        AdminEdge admin = new AdminEdge(services, parts, runtime.hashes());
        GrpcEdge opened = new GrpcEdge(parts, List.of(peers, admin), ready);
        admin.sessions(opened.sessions());
        edge = opened;
        runtime.metrics().gauge("holdfast.sessions", () -> opened.sessions().count());
        peers.open(services);
        Server running = server;
        if (running != null) {
            running.reconfigure(builder -> {
                configure(builder)
                        .service(
                                "/metrics",
                                (context, request) -> HttpResponse.of(
                                        HttpStatus.OK,
                                        MediaType.PLAIN_TEXT_UTF_8,
                                        runtime.metrics().scrape()));
                opened.addTo(builder);
            });
        }
        // Not in the thread that tells: it must not be made to ask the log.
        runtime.onRole(role -> services.executor().execute(() -> roleChanged(role, services)));
        roleChanged(services.neighbours().role(), services);
    }

    private void roleChanged(Role role, NodeServices services) {
        boolean known =
                role instanceof Role.Leading || services.neighbours().leader().isPresent();
        ready.setHealthy(known);
        GrpcEdge open = edge;
        if (open != null && role instanceof Role.Following) {
            services.neighbours()
                    .leaderAddress()
                    .ifPresent(leader -> open.sessions().move(leader, "another node leads"));
        }
    }

    private static long clusterNumber(String cluster) {
        UUID id = UUID.fromString(cluster);
        return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    }

    /** Tells load balancers and sessions to go elsewhere. */
    void drain() {
        ready.setHealthy(false);
        GrpcEdge open = edge;
        if (open != null) {
            open.sessions().move("", "this node is stopping");
        }
    }

    @Override
    public void close() {
        Server running = server;
        if (running != null) {
            running.stop().join();
        }
    }
}
