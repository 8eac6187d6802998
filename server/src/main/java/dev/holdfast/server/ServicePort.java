package dev.holdfast.server;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.util.ThreadFactories;
import com.linecorp.armeria.common.util.TlsEngineType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceNaming;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.protocol.v1.AnnounceRequest;
import dev.holdfast.protocol.v1.AnnounceResponse;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Connections;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.access.Permission;
import dev.holdfast.server.access.RequestDeadline;
import dev.holdfast.server.grpc.CallScopes;
import dev.holdfast.server.grpc.GateInterceptor;
import dev.holdfast.server.grpc.GrpcEdge;
import dev.holdfast.server.grpc.GrpcErrors;
import dev.holdfast.server.metrics.NodeMetrics;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Derivation;
import dev.holdfast.server.peer.PeerEdge;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.rest.ErrorPages;
import dev.holdfast.server.rest.Reply;
import dev.holdfast.server.rest.RestEdge;
import dev.holdfast.server.settings.HostPort;
import dev.holdfast.server.tls.NodeTls;
import dev.holdfast.server.websocket.SocketEdge;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one port that clients, operators and peers use: gRPC, health and metrics.
 *
 * <p>It opens before the node has a log, for peers alone, so that a cluster can be formed through it.
 */
final class ServicePort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServicePort.class);
    /** For a header and a small body: longer than a body has, so that who sends it too slowly is answered. */
    private static final Duration REQUEST_TIME = RestEdge.BODY_TIME.plusSeconds(5);

    /** After that a node that starts may have started. */
    private static final long STARTING_MILLIS = 1_000;

    private static final Duration PING_TIME = Duration.ofSeconds(10);
    /** Room for a token, which is the largest header. */
    private static final int HEADER_BYTES = 16 * 1024;

    private final HostPort address;
    private final Function<AnnounceRequest, AnnounceResponse> announcements;
    private final Protection protection;
    private final Connections connections;
    private @Nullable Server server;

    /**
     * A port that is not open.
     *
     * @param announcements answers those who look for a cluster
     */
    ServicePort(HostPort address, Function<AnnounceRequest, AnnounceResponse> announcements, Protection protection) {
        this.address = address;
        this.announcements = announcements;
        this.protection = protection;
        int wanted = protection.limits().connections();
        int possible = Connections.possible(wanted);
        if (possible < wanted) {
            LOG.warn(
                    "limit.connections: {} of {}, for this process may not open more files; see ulimit -n, or"
                            + " LimitNOFILE of systemd",
                    possible,
                    wanted);
        }
        this.connections = new Connections(possible);
    }

    void open() {
        InetSocketAddress bound = new InetSocketAddress(address.host(), address.port());
        ServerBuilder builder = protection.tls().isPresent()
                ? Server.builder().https(bound)
                : Server.builder().http(bound);
        configure(
                        builder.bossGroupFactory(Acceptor::named)
                                .gracefulShutdownTimeout(Duration.ZERO, Duration.ofSeconds(1)),
                        () -> Optional.of("this node is starting"))
                // Not "no such method", which a client would take for good.
                .serviceUnder("/", open((context, request) -> starting(request)));
        PeerEdge peers = new PeerEdge(announcements, ServicePort::certified);
        GateInterceptor.addTo(
                builder,
                protection.gate(),
                GrpcService.builder().addService(peers).useBlockingTaskExecutor(false));
        Server opened = builder.build();
        Gate.requireGuarded(opened.config());
        try {
            opened.start().join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(
                    "client.address: cannot listen on " + address + ": " + cause.getMessage(), cause);
        }
        server = opened;
    }

    /** The answer of a node that has no cluster yet, in the language of the caller. */
    private static HttpResponse starting(HttpRequest request) {
        Rejection rejection = Rejection.of(
                        ErrorCode.UNAVAILABLE, "node", "node: this node is starting and has not found its cluster yet")
                .withRetry(STARTING_MILLIS, "");
        MediaType type = request.contentType();
        return type != null && type.subtype().startsWith("grpc")
                ? GrpcErrors.response(rejection, type)
                : Reply.of(rejection).response();
    }

    /** The member that makes the call at hand, where members are known by their certificates. */
    private static Optional<String> certified() {
        return Caller.memberOf(ServiceRequestContext.current());
    }

    private ServerBuilder configure(ServerBuilder builder, Supplier<Optional<String>> problem) {
        protection.tls().ifPresent(own -> encrypt(builder, own));
        // Streams live as long as their clients, and a call may wait for a lock as long as it likes.
        return builder.requestTimeout(Duration.ZERO)
                .maxRequestLength(0)
                .disableServerHeader()
                // Nobody reads them; the name of a class would be put together for each request.
                .defaultServiceNaming(ServiceNaming.of("holdfast"))
                .errorHandler(new ErrorPages())
                .http1MaxInitialLineLength(8 * 1024)
                .http1MaxHeaderSize(HEADER_BYTES)
                .http2MaxHeaderListSize(HEADER_BYTES)
                .http2MaxStreamsPerConnection(protection.limits().streams())
                .idleTimeout(Duration.ofMinutes(5))
                .pingInterval(PING_TIME)
                .childChannelPipelineCustomizer(
                        pipeline -> RequestDeadline.on(pipeline.channel(), connections, REQUEST_TIME))
                .service("/healthz", open((context, request) -> HttpResponse.of(HttpStatus.OK)))
                // Not Armeria's own health service: it waits for the start of a server, and this one is running already
                // when it opens to everybody.
                .service(
                        "/readyz",
                        open((context, request) -> problem.get()
                                .map(ServicePort::notReady)
                                .orElseGet(() -> HttpResponse.of(HttpStatus.OK))));
    }

    private static HttpResponse notReady(String problem) {
        return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE, MediaType.PLAIN_TEXT_UTF_8, problem + "\n");
    }

    private static void encrypt(ServerBuilder builder, NodeTls own) {
        ClientAuth asked =
                own.asksClients() ? ClientAuth.REQUIRE : own.asksMembers() ? ClientAuth.OPTIONAL : ClientAuth.NONE;
        builder.tls(own.pair())
                // The one that asks the managers anew at each handshake.
                .tlsEngineType(TlsEngineType.JDK)
                .tlsCustomizer(context -> context.keyManager(own.keys())
                        .trustManager(own.callers())
                        .clientAuth(asked));
    }

    private HttpService open(HttpService service) {
        return protection.gate().guard(Permission.PUBLIC, service, ServicePort::refusal);
    }

    private static HttpResponse refusal(Rejection rejection) {
        return HttpResponse.of(
                HttpStatus.valueOf(rejection.code().http()),
                MediaType.PLAIN_TEXT_UTF_8,
                rejection.code() + ": " + rejection.message() + "\n");
    }

    /** Serves everything. */
    void serve(NodeCore node) {
        Server running = server;
        if (running == null) {
            throw new IllegalStateException("not open");
        }
        PeerEdge peers = new PeerEdge(node, announcements, ServicePort::certified);
        GrpcEdge grpc = new GrpcEdge(
                node, CallScopes.ON_PORT, List.of(peers), protection.limits().unreadBytes());
        Derivation derivation = new Derivation(node.cluster());
        RestEdge rest = new RestEdge(node, derivation);
        SocketEdge sockets = new SocketEdge(node, derivation);
        running.reconfigure(builder -> {
            configure(builder, node::problem)
                    .service(
                            "/metrics",
                            protection
                                    .gate()
                                    .guard(
                                            Permission.OBSERVE,
                                            (context, request) -> figures(node.metrics(), request),
                                            ServicePort::refusal));
            grpc.addTo(builder, protection.gate());
            rest.addTo(builder, protection.gate());
            sockets.addTo(builder, protection.gate());
            builder.serviceUnder(
                    "/",
                    open((context, request) ->
                            ErrorPages.reply(HttpStatus.NOT_FOUND).response()));
        });
        Gate.requireGuarded(running.config());
    }

    private static HttpResponse figures(NodeMetrics metrics, HttpRequest request) {
        String type = metrics.contentType(request.headers().get(HttpHeaderNames.ACCEPT));
        return HttpResponse.of(HttpStatus.OK, MediaType.parse(type), HttpData.wrap(metrics.scrape(type)));
    }

    @Override
    public void close() {
        Server running = server;
        if (running != null) {
            running.stop().join();
        }
    }

    /**
     * Takes connections, and ends as soon as it is told to: otherwise every stop of a node would wait two seconds for
     * tasks that nobody gives to it any more.
     */
    private static final class Acceptor extends MultiThreadIoEventLoopGroup {
        private static final Duration LONGEST_END = Duration.ofSeconds(15);

        private Acceptor(ThreadFactory threads, IoHandlerFactory io) {
            super(1, threads, io);
        }

        /** With the means that the threads which serve the connections use as well: the two go together. */
        static EventLoopGroup named(String name) {
            ThreadFactory threads = ThreadFactories.newEventLoopThreadFactory(name, false);
            return switch (Flags.transportType()) {
                case EPOLL -> new Acceptor(threads, EpollIoHandler.newFactory());
                case NIO -> new Acceptor(threads, NioIoHandler.newFactory());
                default -> Flags.transportType().newEventLoopGroup(1, type -> threads);
            };
        }

        @Override
        public Future<?> shutdownGracefully() {
            return shutdownGracefully(0, LONGEST_END.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
