package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.ratis.wire.PeerSockets;
import dev.holdfast.consensus.ratis.wire.SocketRpc;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/** Members talk over sockets of ours, behind a {@link PeerDoor}, and are brought up to date by {@link MemberAppender}. */
final class SocketTransport implements RpcType {
    private static final String GIVEN = "holdfast.transport";

    /** What the transport, which the engine makes by its name, is given on the way. */
    private record Given(
            String name,
            InetSocketAddress at,
            DurableDirectory directory,
            FlushedLog flushed,
            Ballot ballot,
            Optional<PeerTls> tls) {}

    SocketTransport() {}

    static Parameters parameters(
            RatisSettings settings, DurableDirectory directory, FlushedLog flushed, Ballot ballot) {
        HostPort address = HostPort.parse("self.peerAddress", settings.self().peerAddress());
        String host = settings.bindAddress().orElse(address.host());
        Parameters parameters = new Parameters();
        parameters.put(
                GIVEN,
                new Given(
                        settings.self().id().name(),
                        new InetSocketAddress(host, address.port()),
                        directory,
                        flushed,
                        ballot,
                        settings.tls()),
                Given.class);
        return parameters;
    }

    /** The engine finds a transport that is not its own by the name of its class. */
    @Override
    public String name() {
        return getClass().getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new Factory(parameters.getNonNull(GIVEN, Given.class));
    }

    private final class Factory implements ServerFactory {
        private final Given given;

        Factory(Given given) {
            this.given = given;
        }

        @Override
        public RpcType getRpcType() {
            return SocketTransport.this;
        }

        @Override
        public RaftServerRpc newRaftServerRpc(RaftServer server) {
            PeerSockets sockets = given.tls
                    .map(tls -> PeerSockets.withCertificates(tls.keys(), tls.trust(), tls.memberName()))
                    .orElseGet(PeerSockets::open);
            return new SocketRpc(
                    SocketTransport.this,
                    given.name,
                    given.at,
                    sockets,
                    new PeerDoor(server, given.directory, given.flushed, given.ballot, given.tls.isPresent()));
        }

        @Override
        public LogAppender newLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            return new MemberAppender(server, state, follower);
        }
    }
}
