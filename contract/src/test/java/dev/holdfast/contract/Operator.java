package dev.holdfast.contract;

import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.ForceReleaseRequest;
import dev.holdfast.protocol.v1.LimitSetRequest;
import dev.holdfast.protocol.v1.StatusRequest;
import dev.holdfast.protocol.v1.StatusResponse;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

/** Does what operators do, on one node. */
final class Operator implements AutoCloseable {
    private final ManagedChannel channel;
    private final AdminBlockingStub admin;

    Operator(String address) {
        channel = NettyChannelBuilder.forTarget(address).usePlaintext().build();
        admin = AdminGrpc.newBlockingStub(channel);
    }

    void limit(String name, long value) {
        var unused = admin.limitSet(
                LimitSetRequest.newBuilder().setName(name).setValue(value).build());
    }

    boolean forceRelease(String key, long token) {
        return admin.forceRelease(ForceReleaseRequest.newBuilder()
                        .setName(key)
                        .setFencingToken(token)
                        .setBy("ann")
                        .setReason("it is stuck")
                        .build())
                .getReleased();
    }

    StatusResponse status() {
        return admin.status(StatusRequest.getDefaultInstance());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
