package dev.holdfast.contract;

import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.ForceReleaseRequest;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.LeaseListRequest;
import dev.holdfast.protocol.v1.LeaseTimeToLiveResponse;
import dev.holdfast.protocol.v1.LimitSetRequest;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import dev.holdfast.protocol.v1.StatusRequest;
import dev.holdfast.protocol.v1.StatusResponse;
import dev.holdfast.protocol.v1.TransferLeadershipRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.List;

/** Looks into a cluster and changes what only operators may. */
public final class Operator implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int MOST = 1_000;

    private final ManagedChannel channel;
    private final AdminGrpc.AdminBlockingStub admin;
    private final LockServiceGrpc.LockServiceBlockingStub locks;

    public Operator(String address) {
        this(NettyChannelBuilder.forTarget(address).usePlaintext().build());
    }

    public Operator(LocalCluster cluster) {
        this(cluster.address(0));
    }

    public Operator(ManagedChannel channel) {
        this.channel = channel;
        this.admin = AdminGrpc.newBlockingStub(channel);
        this.locks = LockServiceGrpc.newBlockingStub(channel);
    }

    /** Lets leases be as short as this. */
    public Operator shortestTtl(long millis) {
        return limit("TTL_MIN_MILLIS", millis);
    }

    public Operator limit(String name, long value) {
        var unused = admin.limitSet(
                LimitSetRequest.newBuilder().setName(name).setValue(value).build());
        return this;
    }

    /** Takes a grant away. */
    public boolean force(String key, long token, String by, String reason) {
        return admin.forceRelease(ForceReleaseRequest.newBuilder()
                        .setName(key)
                        .setFencingToken(token)
                        .setBy(by)
                        .setReason(reason)
                        .build())
                .getReleased();
    }

    /** Takes a grant away, for no reason in particular. */
    public boolean forceRelease(String key, long token) {
        return force(key, token, "ann", "it is stuck");
    }

    public StatusResponse status() {
        return admin.status(StatusRequest.getDefaultInstance());
    }

    public void transferLeadership() {
        var unused = admin.transferLeadership(TransferLeadershipRequest.getDefaultInstance());
    }

    /** Everything that is held or waited for under a prefix. */
    public List<LockRecord> locks(String prefix) {
        return locks.list(ListRequest.newBuilder()
                        .setPrefix(prefix)
                        .setLimit(MOST)
                        .build())
                .getLocksList();
    }

    public List<LeaseTimeToLiveResponse> leases(String clientId) {
        return locks.leaseList(LeaseListRequest.newBuilder()
                        .setClientId(clientId)
                        .setLimit(MOST)
                        .build())
                .getLeasesList();
    }

    public int waiters(String key) {
        return locks(key).stream()
                .filter(lock -> lock.getKey().equals(key))
                .mapToInt(LockRecord::getWaiterCount)
                .sum();
    }

    /** A lock as it is; empty if nobody holds or awaits it. */
    public LockRecord lock(String key) {
        return locks.get(GetRequest.newBuilder().setName(key).build()).getLock();
    }

    /** Returns when so many wait for a lock. */
    public void awaitWaiters(String key, int count) {
        await().atMost(PATIENCE).until(() -> lock(key).getWaiterCount() == count);
    }

    /** Returns when so many hold a lock. */
    public void awaitHolders(String key, int count) {
        await().atMost(PATIENCE).until(() -> lock(key).getHoldersCount() == count);
    }

    /** Returns when nobody holds any lock, or waits. */
    public void awaitNoLocks(String prefix) {
        await().atMost(PATIENCE).until(() -> locks(prefix).isEmpty());
    }

    /** Takes the first grant of a lock away, whoever has it; nothing if it has ended by itself meanwhile. */
    public void takeAway(String key) {
        LockRecord lock = lock(key);
        if (lock.getHoldersCount() > 0) {
            var unused = forceRelease(key, lock.getHolders(0).getFencingToken());
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
