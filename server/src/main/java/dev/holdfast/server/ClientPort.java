package dev.holdfast.server;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.grpc.CallScopes;
import dev.holdfast.server.peer.PeerEdge;
import dev.holdfast.server.rest.ErrorPages;
import dev.holdfast.server.settings.HostPort;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
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
    private @Nullable NodeEdge edge;

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
                .errorHandler(new ErrorPages())
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
        NodeEdge opened = new NodeEdge(runtime, CallScopes.ON_PORT, List.of(peers), ready);
        edge = opened;
        peers.open(runtime.services());
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
                opened.grpc().addTo(builder);
                opened.rest().addTo(builder, Gate.OPEN);
                opened.sockets().addTo(builder, Gate.OPEN);
            });
        }
        opened.follow();
    }

    /** Tells load balancers and sessions to go elsewhere. */
    void drain() {
        ready.setHealthy(false);
        NodeEdge open = edge;
        if (open != null) {
            open.drain();
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
