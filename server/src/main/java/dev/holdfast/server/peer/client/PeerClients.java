package dev.holdfast.server.peer.client;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.util.TlsEngineType;
import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.PeerGrpc;
import dev.holdfast.server.tls.NodeTls;
import io.grpc.stub.AbstractStub;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Connections to the client ports of other nodes. */
public final class PeerClients implements AutoCloseable {
    private static final int MAX_ADDRESSES = 1_000;
    private static final Duration CONNECT = Duration.ofSeconds(1);
    /** Larger than a frame of forwarded requests or a piece of a snapshot can be. */
    private static final int MESSAGE_BYTES = 64 * 1024 * 1024;

    /** Made when it is first needed: a node that is alone needs none, nor the threads that come with it. */
    private @Nullable ClientFactory factory;

    private final Optional<NodeTls> tls;
    private boolean closed;
    private final ConcurrentHashMap<String, PeerGrpc.PeerStub> streaming = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, PeerGrpc.PeerFutureStub> unary = new ConcurrentHashMap<>();

    /**
     * Connections that are made when they are needed.
     *
     * @param tls how nodes know each other; where it is absent they speak in the clear
     */
    public PeerClients(Optional<NodeTls> tls) {
        this.tls = tls;
    }

    /** For streams that live as long as both nodes. */
    public PeerGrpc.PeerStub streams(String address) {
        return cached(streaming, address, PeerGrpc.PeerStub.class, Duration.ZERO);
    }

    /** For questions that are answered within a second or two. */
    public PeerGrpc.PeerFutureStub questions(String address) {
        return cached(unary, address, PeerGrpc.PeerFutureStub.class, Duration.ofSeconds(2));
    }

    /** For what a node passes on to the leader. */
    public AdminGrpc.AdminStub admin(String address, Duration timeout) {
        return make(address, AdminGrpc.AdminStub.class, timeout);
    }

    public PeerGrpc.PeerBlockingStub blocking(String address, Duration timeout) {
        return make(address, PeerGrpc.PeerBlockingStub.class, timeout);
    }

    private <S extends AbstractStub<S>> S cached(
            ConcurrentHashMap<String, S> cache, String address, Class<S> type, Duration timeout) {
        if (cache.size() > MAX_ADDRESSES) {
            cache.clear(); // stubs are cheap; the connections behind them are shared and stay
        }
        return cache.computeIfAbsent(address, key -> make(key, type, timeout));
    }

    private <S extends AbstractStub<S>> S make(String address, Class<S> type, Duration timeout) {
        return GrpcClients.builder((tls.isPresent() ? "gproto+https://" : "gproto+http://") + address + "/")
                .factory(factory())
                .responseTimeout(timeout)
                .maxResponseMessageLength(MESSAGE_BYTES)
                .maxResponseLength(0)
                .build(type);
    }

    private synchronized ClientFactory factory() {
        ClientFactory present = factory;
        if (present == null) {
            ClientFactoryBuilder builder = ClientFactory.builder()
                    .connectTimeout(CONNECT)
                    .addressResolverGroupFactory(loops -> new HostNames())
                    .idleTimeout(Duration.ZERO)
                    .pingInterval(Duration.ofSeconds(10));
            // The engine that asks the managers anew at each handshake.
            tls.ifPresent(own -> builder.tlsEngineType(TlsEngineType.JDK)
                    .tlsCustomizer(context -> context.keyManager(own.keys()).trustManager(own.members())));
            present = builder.build();
            factory = present;
            if (closed) {
                present.close(); // who asks too late fails, as with connections that were there
            }
        }
        return present;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (factory != null) {
            factory.close();
        }
    }
}
