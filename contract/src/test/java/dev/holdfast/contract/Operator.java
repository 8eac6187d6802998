package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.ForceReleaseRequest;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;

/** Somebody who sees what the cluster has, and can take it away. */
final class Operator implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ManagedChannel channel;

    Operator(LocalCluster cluster) {
        channel = NettyChannelBuilder.forTarget(cluster.addresses().get(0))
                .usePlaintext()
                .build();
    }

    LockRecord lock(String key) {
        return LockServiceGrpc.newBlockingStub(channel)
                .get(GetRequest.newBuilder().setName(key).build())
                .getLock();
    }

    /** Returns when so many wait for a lock. */
    void awaitWaiters(String key, int count) {
        await().atMost(PATIENCE).until(() -> lock(key).getWaiterCount() == count);
    }

    /** Returns when so many hold a lock. */
    void awaitHolders(String key, int count) {
        await().atMost(PATIENCE).until(() -> lock(key).getHoldersCount() == count);
    }

    /** Returns when nobody holds any lock, or waits. */
    void awaitNoLocks(String prefix) {
        await().atMost(PATIENCE)
                .until(() -> LockServiceGrpc.newBlockingStub(channel)
                                .list(ListRequest.newBuilder()
                                        .setPrefix(prefix)
                                        .setLimit(1)
                                        .build())
                                .getLocksCount()
                        == 0);
    }

    void takeAway(String key) {
        assertThat(AdminGrpc.newBlockingStub(channel)
                        .forceRelease(ForceReleaseRequest.newBuilder()
                                .setName(key)
                                .setFencingToken(lock(key).getHolders(0).getFencingToken())
                                .setBy("operator")
                                .setReason("the test wants it so")
                                .build())
                        .getReleased())
                .isTrue();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
