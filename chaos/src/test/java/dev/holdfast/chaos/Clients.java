package dev.holdfast.chaos;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.DecoratingHttpClientFunction;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import io.grpc.stub.AbstractStub;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Plain gRPC stubs, one set per address. */
final class Clients implements AutoCloseable {
    private final ClientFactory factory =
            ClientFactory.builder().connectTimeout(Duration.ofMillis(500)).build();
    private final DecoratingHttpClientFunction way;
    private final Map<String, LockServiceGrpc.LockServiceBlockingStub> locks = new ConcurrentHashMap<>();
    private final Map<String, AdminGrpc.AdminBlockingStub> admins = new ConcurrentHashMap<>();

    Clients() {
        this((delegate, context, request) -> delegate.execute(context, request));
    }

    /** @param way what may happen to requests and answers on their way */
    Clients(DecoratingHttpClientFunction way) {
        this.way = way;
    }

    LockServiceGrpc.LockServiceBlockingStub locks(String address) {
        return locks.computeIfAbsent(
                address, key -> make(key, LockServiceGrpc.LockServiceBlockingStub.class, Duration.ofSeconds(4)));
    }

    LockServiceGrpc.LockServiceStub streams(String address) {
        return make(address, LockServiceGrpc.LockServiceStub.class, Duration.ZERO);
    }

    AdminGrpc.AdminBlockingStub admin(String address) {
        return admins.computeIfAbsent(
                address, key -> make(key, AdminGrpc.AdminBlockingStub.class, Duration.ofSeconds(10)));
    }

    private <S extends AbstractStub<S>> S make(String address, Class<S> type, Duration timeout) {
        return GrpcClients.builder("gproto+http://" + address + "/")
                .factory(factory)
                .responseTimeout(timeout)
                .maxResponseLength(0)
                .decorator(way)
                .build(type);
    }

    @Override
    public void close() {
        factory.close();
    }
}
