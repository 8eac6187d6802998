package dev.holdfast.server;

import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceFutureStub;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceStub;
import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Speaks to an embedded node over a channel with a thread of its own. */
final class EmbeddedClient implements AutoCloseable {
    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "embedded-client"));
    private final ManagedChannel channel;

    EmbeddedClient(EmbeddedNode node) {
        channel =
                InProcessChannelBuilder.forName(node.name()).executor(executor).build();
    }

    ManagedChannel channel() {
        return channel;
    }

    LockServiceBlockingStub locks() {
        return LockServiceGrpc.newBlockingStub(channel);
    }

    LockServiceFutureStub futures() {
        return LockServiceGrpc.newFutureStub(channel);
    }

    LockServiceStub streams() {
        return LockServiceGrpc.newStub(channel);
    }

    void lease(long id) {
        var unused = locks().leaseGrant(LeaseGrantRequest.newBuilder()
                .setId(id)
                .setTtlMs(600_000)
                .build());
    }

    static LockRequest.Builder request(long lease, String key, long seq) {
        return LockRequest.newBuilder().setName(key).setLeaseId(lease).setSeq(seq);
    }

    LockResponse lock(long lease, String key, long seq) {
        return locks().lock(request(lease, key, seq).build());
    }

    int waiters(String key) {
        return record(key).getWaiterCount();
    }

    boolean isHeld(String key) {
        return record(key).getHoldersCount() > 0;
    }

    private LockRecord record(String key) {
        return locks().get(GetRequest.newBuilder().setName(key).build()).getLock();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        executor.shutdown();
    }
}
