package dev.holdfast.consensus.ratis;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/** The engine's gRPC transport behind a {@link PeerDoor}, and with an appender that believes what members lost. */
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
        private final Parameters parameters;

        Factory(Parameters parameters) {
            super(parameters);
            this.parameters = parameters;
        }

        @Override
        public GrpcServices newRaftServerRpc(RaftServer server) {
            return super.newRaftServerRpc(new PeerDoor(server, parameters));
        }

        @Override
        public LogAppender newLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            return new GrpcLogAppender(server, state, follower) {
                @Override
                protected long getNextIndexForInconsistency(long requestFirst, long replyNext) {
                    return NotifyingAppender.goOnAt(
                            requestFirst, replyNext, super.getNextIndexForInconsistency(requestFirst, replyNext));
                }
            };
        }
    }
}
