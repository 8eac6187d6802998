package dev.holdfast.cli.connect;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;

/** How a connection to a node is made, for the Java client and for single questions alike. */
final class Channels {
    private static final int MAX_ANSWER_BYTES = 16 * 1024 * 1024;

    private Channels() {}

    static ManagedChannel open(String address, ChannelCredentials credentials) {
        return Grpc.newChannelBuilder(address, credentials)
                .directExecutor()
                .maxInboundMessageSize(MAX_ANSWER_BYTES)
                .build();
    }
}
