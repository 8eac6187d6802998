package dev.holdfast.consensus.ratis;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.netty.NettyFactory;
import org.apache.ratis.netty.server.NettyRpcService;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/** The engine's Netty transport behind a {@link PeerDoor}, and with an appender that can tell of snapshots. */
final class NettyTransport implements RpcType {

    NettyTransport() {}

    /** The engine finds a transport that is not its own by the name of its class. */
    @Override
    public String name() {
        return getClass().getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new Factory(parameters);
    }

    private static final class Factory extends NettyFactory {
        private final Parameters parameters;

        Factory(Parameters parameters) {
            super(parameters);
            this.parameters = parameters;
        }

        @Override
        public NettyRpcService newRaftServerRpc(RaftServer server) {
            return super.newRaftServerRpc(new PeerDoor(server, parameters));
        }

        @Override
        public LogAppender newLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            return new NotifyingAppender(server, state, follower);
        }
    }
}
