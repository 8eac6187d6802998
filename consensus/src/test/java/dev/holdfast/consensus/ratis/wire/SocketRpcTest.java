package dev.holdfast.consensus.ratis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testports.TestPorts;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.proto.netty.NettyProtos.RaftNettyServerReplyProto;
import org.apache.ratis.proto.netty.NettyProtos.RaftNettyServerRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two ends of the wire between members, and strangers on it. */
@Timeout(60)
class SocketRpcTest {
    private static final RaftPeerId SELF = RaftPeerId.valueOf("self");

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Recorder recorder = new Recorder();
    private final SocketRpc self = rpc("self", recorder);
    private final SocketRpc caller = rpc("caller", new Nobody());

    private static final class NoType implements RpcType {
        @Override
        public String name() {
            return "none";
        }

        @Override
        public RpcFactory newFactory(Parameters parameters) {
            throw new UnsupportedOperationException();
        }
    }

    /** Answers entries when told to, and votes at once. */
    private static final class Recorder implements PeerService {
        final CompletableFuture<AppendEntriesReplyProto> appended = new CompletableFuture<>();
        final AtomicInteger entries = new AtomicInteger();

        @Override
        public void admit(Optional<String> shown, RaftRpcRequestProto request) {}

        @Override
        public void campaign(RequestVoteRequestProto request) {}

        @Override
        public void recognize(Optional<String> shown, RaftPeerId called) {}

        @Override
        public CompletableFuture<AppendEntriesReplyProto> append(AppendEntriesRequestProto request) {
            entries.addAndGet(request.getEntriesCount());
            return appended;
        }

        @Override
        public RequestVoteReplyProto vote(RequestVoteRequestProto request) {
            return RequestVoteReplyProto.newBuilder()
                    .setServerReply(RaftRpcReplyProto.newBuilder().setSuccess(true))
                    .build();
        }

        @Override
        public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
            throw new IOException("no snapshots here");
        }

        @Override
        public StartLeaderElectionReplyProto startElection(StartLeaderElectionRequestProto request) {
            throw new IllegalStateException("out of order");
        }
    }

    private SocketRpc rpc(String name, PeerService service) {
        SocketRpc rpc = new SocketRpc(
                new NoType(),
                name,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), TestPorts.next()),
                PeerSockets.open(),
                service);
        open.add(rpc);
        return rpc;
    }

    @BeforeEach
    void start() throws IOException {
        self.start();
        caller.start();
        caller.addRaftPeers(List.of(peer(self.getInetSocketAddress())));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private static RaftPeer peer(InetSocketAddress address) {
        return RaftPeer.newBuilder().setId(SELF).setAddress(address).build();
    }

    private static RaftRpcRequestProto head() {
        return RaftRpcRequestProto.newBuilder().setReplyId(SELF.toByteString()).build();
    }

    private static RequestVoteRequestProto vote() {
        return RequestVoteRequestProto.newBuilder().setServerRequest(head()).build();
    }

    private static AppendEntriesRequestProto append(int bytes) {
        return AppendEntriesRequestProto.newBuilder()
                .setServerRequest(head())
                .addEntries(LogEntryProto.newBuilder()
                        .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder()
                                .setLogData(ByteString.copyFrom(new byte[bytes]))))
                .build();
    }

    private static boolean granted(RequestVoteReplyProto reply) {
        return reply.getServerReply().getSuccess();
    }

    @Test
    void entries_that_wait_for_the_disk_keep_nobody_from_being_heard() throws IOException {
        assertThat(granted(caller.requestVote(vote()))).isTrue();
        CompletableFuture<AppendEntriesReplyProto> reply =
                caller.appendAtOnce(append(10)).orElseThrow();
        assertThat(granted(caller.requestVote(vote()))).isTrue();
        assertThat(reply).isNotDone();
        recorder.appended.complete(
                AppendEntriesReplyProto.newBuilder().setTerm(7).build());
        assertThat(reply.join().getTerm()).isEqualTo(7);
        assertThat(recorder.entries).hasValue(1);
    }

    @Test
    void only_what_is_small_and_has_a_connection_is_sent_without_waiting() throws IOException {
        assertThat(caller.appendAtOnce(append(10))).isEmpty();
        assertThat(granted(caller.requestVote(vote()))).isTrue();
        assertThat(caller.appendAtOnce(append(PeerLink.WRITTEN_AT_ONCE))).isEmpty();
        recorder.appended.complete(AppendEntriesReplyProto.getDefaultInstance());
        caller.appendEntries(append(4 << 20));
        assertThat(recorder.entries).hasValue(1);
        assertThatThrownBy(() -> caller.appendEntries(append(Frame.LARGEST))).hasMessageContaining("at most");
        assertThat(granted(caller.requestVote(vote()))).isTrue();
    }

    @Test
    void what_fails_there_fails_here_for_the_same_reason() {
        assertThatThrownBy(() -> caller.installSnapshot(InstallSnapshotRequestProto.newBuilder()
                        .setServerRequest(head())
                        .build()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no snapshots here");
        assertThatThrownBy(() -> caller.startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                        .setServerRequest(head())
                        .build()))
                .hasMessageContaining("out of order");
        recorder.appended.completeExceptionally(new IOException("the disk is full"));
        assertThatThrownBy(() -> caller.appendEntries(append(1))).hasMessageContaining("the disk is full");
    }

    @Test
    void a_member_that_never_answers_is_given_up() throws IOException {
        ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        open.add(silent);
        SocketRpc other = rpc("other", new Nobody());
        other.start();
        other.addRaftPeers(List.of(peer((InetSocketAddress) silent.getLocalSocketAddress())));
        assertThatThrownBy(() -> other.requestVote(vote())).hasMessageContaining("no answer in time");
    }

    @Test
    void a_member_that_was_gone_is_reached_again() throws IOException {
        assertThat(granted(caller.requestVote(vote()))).isTrue();
        InetSocketAddress address = self.getInetSocketAddress();
        self.close();
        assertThatThrownBy(() -> caller.requestVote(vote())).isInstanceOf(IOException.class);
        SocketRpc again = new SocketRpc(new NoType(), "self", address, PeerSockets.open(), recorder);
        open.add(again);
        again.start();
        assertThat(granted(caller.requestVote(vote()))).isTrue();
    }

    @Test
    void a_stranger_is_cut_off_and_members_are_served_on() throws IOException {
        for (int claimed : new int[] {-1, Integer.MAX_VALUE, Frame.LARGEST + 1}) {
            try (Socket stranger = connect()) {
                new DataOutputStream(stranger.getOutputStream()).writeInt(claimed);
                assertThat(stranger.getInputStream().read()).isEqualTo(-1);
            }
        }
        try (Socket stranger = connect()) {
            DataOutputStream out = new DataOutputStream(stranger.getOutputStream());
            out.writeInt(3);
            out.writeLong(1);
            out.write(new byte[] {-1, -1, -1});
            assertThat(stranger.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(granted(caller.requestVote(vote()))).isTrue();
    }

    @Test
    void requests_that_are_no_business_of_peers_are_refused() throws IOException {
        try (Socket stranger = connect()) {
            stranger.getOutputStream().write(Frame.of(5, RaftNettyServerRequestProto.getDefaultInstance()));
            Frame answer = Frame.read(new DataInputStream(stranger.getInputStream()));
            assertThat(answer.call()).isEqualTo(5);
            assertThat(RaftNettyServerReplyProto.parseFrom(answer.body())
                            .getExceptionReply()
                            .getException()
                            .toStringUtf8())
                    .contains("serves peers only");
        }
    }

    @Test
    void there_is_a_bound_on_connections() throws IOException {
        List<Socket> held = new ArrayList<>();
        for (int i = 0; i < PeerPort.MAX_CONNECTIONS; i++) {
            Socket socket = connect();
            open.add(socket);
            held.add(socket);
        }
        try (Socket one = connect()) {
            assertThat(one.getInputStream().read()).isEqualTo(-1);
        }
        for (Socket socket : held) {
            socket.close();
        }
    }

    private Socket connect() throws IOException {
        InetSocketAddress to = self.getInetSocketAddress();
        return new Socket(to.getAddress(), to.getPort());
    }
}
