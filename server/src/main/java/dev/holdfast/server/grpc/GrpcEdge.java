package dev.holdfast.server.grpc;

import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import com.linecorp.armeria.server.healthcheck.ListenableHealthChecker;
import dev.holdfast.protocol.Errors;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Watches;
import io.grpc.BindableService;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Everything of a node that speaks gRPC: the services for clients and operators, health, reflection, and what else is given to it.
 *
 * <p><b>Invariant:</b> nothing here waits. Handlers run on event loops; what takes time comes back as a future, and
 * is answered on the event loop of its call.
 */
public final class GrpcEdge {
    /** The largest message a client may send. */
    public static final int MAX_REQUEST_BYTES = 64 * 1024;

    /** The largest message to the services that peers and operators use. */
    public static final int MAX_PEER_REQUEST_BYTES = 16 * 1024 * 1024;

    private final LockEndpoint locks;
    private final List<BindableService> others;
    private final ListenableHealthChecker health;

    /**
     * An edge to be added to a server.
     *
     * @param scopes how handlers learn about their calls: must fit the server
     * @param others further services: for peers
     * @param mostUnread bytes kept for clients that do not read them
     */
    public GrpcEdge(NodeCore node, CallScopes scopes, List<BindableService> others, long mostUnread) {
        this(node, scopes, others, mostUnread, Watches.Timing.DEFAULT);
    }

    GrpcEdge(
            NodeCore node,
            CallScopes scopes,
            List<BindableService> others,
            long mostUnread,
            Watches.Timing watchTiming) {
        GrpcNode edge = new GrpcNode(node, watchTiming, mostUnread);
        this.locks = new LockEndpoint(edge, scopes);
        this.others = Stream.concat(others.stream(), Stream.of(new AdminEdge(edge, scopes)))
                .toList();
        this.health = node.ready();
    }

    /** Adds everything to a server that listens on a port, behind a gate. */
    public void addTo(ServerBuilder server, Gate gate) {
        GateInterceptor.addTo(
                server,
                gate,
                builder(MAX_REQUEST_BYTES)
                        .addService(locks)
                        .addService(ProtoReflectionServiceV1.newInstance())
                        .addService(healthService()));
        GrpcServiceBuilder further = builder(MAX_PEER_REQUEST_BYTES);
        others.forEach(further::addService);
        GateInterceptor.addTo(server, gate, further);
    }

    /**
     * Adds everything, but for reflection, to a server of another kind.
     *
     * @param bounded what refuses messages above so many bytes there
     */
    public void addTo(io.grpc.ServerBuilder<?> server, IntFunction<ServerInterceptor> bounded) {
        ServerInterceptor ofClients = bounded.apply(MAX_REQUEST_BYTES);
        server.addService(ServerInterceptors.intercept(locks, ofClients));
        server.addService(ServerInterceptors.intercept(healthService(), ofClients));
        ServerInterceptor ofPeers = bounded.apply(MAX_PEER_REQUEST_BYTES);
        others.forEach(service -> server.addService(ServerInterceptors.intercept(service, ofPeers)));
    }

    /** Not Armeria's own: that one waits for the start of a server, and this edge is added to one that runs. */
    private BindableService healthService() {
        HealthStatusManager status = new HealthStatusManager();
        health.addListener(changed -> tell(status, changed.isHealthy()));
        tell(status, health.isHealthy());
        return status.getHealthService();
    }

    private static void tell(HealthStatusManager status, boolean healthy) {
        status.setStatus(
                HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
                healthy ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }

    private static GrpcServiceBuilder builder(int maxRequestBytes) {
        return GrpcService.builder()
                .maxRequestMessageLength(maxRequestBytes)
                .exceptionHandler((context, status, cause, trailers) -> {
                    // Nobody but the library, which reads messages, gives up without saying why.
                    if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED
                            && Errors.of(cause).isEmpty()) {
                        Errors.add(trailers, GrpcErrors.tooLarge(maxRequestBytes, 0));
                    }
                    return status;
                })
                .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
                .enableUnframedRequests(false)
                .useBlockingTaskExecutor(false);
    }

    /** The lock service alone, for a carrier of another kind than a server. */
    public BindableService locks() {
        return locks;
    }

    /** Open streams of the watch call; watches on sessions are not among them. */
    public int watchStreams() {
        return locks.watchStreams();
    }
}
