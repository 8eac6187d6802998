package dev.holdfast.consensus.ratis;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;

/** The engine's gRPC transport behind a {@link PeerDoor}. */
final class GrpcTransport implements RpcType {

    GrpcTransport() {}

    /** The engine finds a transport that is not its own by the name of its class. */
    @Override
    public String name() {
        return getClass().getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new Factory(parameters);
    }

    private static final class Factory extends GrpcFactory {
        private final DurableDirectory directory;

        Factory(Parameters parameters) {
            super(parameters);
            this.directory = PeerDoor.directory(parameters);
        }

        @Override
        public GrpcServices newRaftServerRpc(RaftServer server) {
            return super.newRaftServerRpc(new PeerDoor(server, directory));
        }
    }
}
