package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.ratis.wire.Nobody;
import dev.holdfast.consensus.ratis.wire.PeerSockets;
import dev.holdfast.consensus.ratis.wire.SocketRpc;
import dev.holdfast.testports.TestPorts;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One member's peer port, and others who speak to it in names that are not theirs. */
@Timeout(120)
class PeerDoorTest {
    /** Far above what a member comes to while nobody votes for it. */
    private static final long TERM = 1_000_000;

    @TempDir
    static Path shelf;

    private static Papers papers;

    @TempDir
    Path directory;

    private final UUID cluster = UUID.randomUUID();
    private final NodeId b = new NodeId("b", UUID.randomUUID());
    private final NodeId c = new NodeId("c", UUID.randomUUID());
    private final List<SocketRpc> callers = new ArrayList<>();
    private final int port = TestPorts.next();
    private final Member self = new Member(new NodeId("a", UUID.randomUUID()), "127.0.0.1:" + port, "a:1", Part.VOTER);
    private RatisLog log;

    @SuppressWarnings("NullAway.Init")
    PeerDoorTest() {}

    @BeforeAll
    static void issue() throws Exception {
        papers = new Papers(shelf).issue("a", true).issue("b", true).issue("c", false);
    }

    @BeforeEach
    void start() throws Exception {
        List<Member> members = List.of(self, silent(b), silent(c));
        log = new RatisLog(
                new RatisSettings(
                        self,
                        cluster,
                        directory.resolve("log"),
                        members,
                        Duration.ofMillis(300),
                        Duration.ofMillis(600),
                        1 << 20,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(papers.of("a"))),
                new RecordingReplica(),
                (from, lowest, into) -> Optional.empty());
        log.start();
    }

    @AfterEach
    void stop() throws IOException {
        for (SocketRpc caller : callers) {
            caller.close();
        }
        log.close();
    }

    private static Member silent(NodeId id) {
        return new Member(id, "127.0.0.1:" + TestPorts.next(), id.name() + ":1", Part.VOTER);
    }

    /** Somebody with the papers of a member, who may claim anything. */
    private SocketRpc caller(String certificate) throws Exception {
        PeerTls shown = papers.of(certificate);
        SocketRpc caller = new SocketRpc(
                new SocketTransport(),
                certificate,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                PeerSockets.withCertificates(shown.keys(), shown.trust(), shown.memberName()),
                new Nobody());
        caller.addRaftPeers(List.of(Peers.peer(self)));
        callers.add(caller);
        return caller;
    }

    private RaftRpcRequestProto from(NodeId claimed) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(Peers.id(claimed).toByteString())
                .setReplyId(Peers.id(self.id()).toByteString())
                .setRaftGroupId(RaftGroupIdProto.newBuilder()
                        .setId(RaftGroupId.valueOf(cluster).toByteString()))
                .setCallId(1)
                .build();
    }

    private RequestVoteRequestProto vote(NodeId claimed) {
        return RequestVoteRequestProto.newBuilder()
                .setServerRequest(from(claimed))
                .setCandidateTerm(TERM)
                .setCandidateLastEntry(TermIndexProto.newBuilder().setTerm(TERM).setIndex(TERM))
                .build();
    }

    private AppendEntriesRequestProto append(NodeId claimed) {
        return AppendEntriesRequestProto.newBuilder()
                .setServerRequest(from(claimed))
                .setLeaderTerm(TERM)
                .build();
    }

    private long term() {
        return log.status().role().term();
    }

    @Test
    void a_member_is_heard_in_its_own_name() throws Exception {
        assertThat(caller("b").requestVote(vote(b)).getServerReply().getSuccess())
                .isTrue();
        Awaiting.untilAsserted(() -> assertThat(term()).isGreaterThanOrEqualTo(TERM));
    }

    @Test
    void a_vote_asked_for_in_the_name_of_another_member_is_refused_and_changes_nothing() throws Exception {
        SocketRpc caller = caller("b");
        assertThatThrownBy(() -> caller.requestVote(vote(c)))
                .hasMessageContaining("in the name of " + c)
                .hasMessageContaining("came with the certificate of b");
        assertThat(term()).isLessThan(TERM);
    }

    @Test
    void nobody_is_told_to_campaign_in_the_name_of_another_member() throws Exception {
        SocketRpc caller = caller("b");
        assertThatThrownBy(() -> caller.startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                        .setServerRequest(from(c))
                        .setLeaderLastEntry(TermIndexProto.newBuilder().setTerm(TERM))
                        .build()))
                .hasMessageContaining("came with the certificate of b");
    }

    @Test
    void no_entry_and_no_snapshot_is_taken_in_the_name_of_another_member() throws Exception {
        SocketRpc caller = caller("b");
        assertThatThrownBy(() -> caller.appendEntries(append(c)))
                .hasMessageContaining("came with the certificate of b");
        assertThatThrownBy(() -> caller.installSnapshot(InstallSnapshotRequestProto.newBuilder()
                        .setServerRequest(from(c))
                        .setLeaderTerm(TERM)
                        .build()))
                .hasMessageContaining("came with the certificate of b");
        assertThat(term()).isLessThan(TERM);
    }

    @Test
    void who_cannot_prove_to_be_a_member_is_not_even_heard() throws Exception {
        SocketRpc caller = caller("c");
        assertThatThrownBy(() -> caller.requestVote(vote(c))).isInstanceOf(IOException.class);
        assertThat(term()).isLessThan(TERM);
    }

    private static RaftServer unasked() {
        return (RaftServer) Proxy.newProxyInstance(
                RaftServer.class.getClassLoader(), new Class<?>[] {RaftServer.class}, (engine, method, arguments) -> {
                    throw new AssertionError("the engine was asked: " + method);
                });
    }

    @Test
    void a_member_does_not_speak_to_another_one_at_the_address_of_a_third() throws Exception {
        PeerTls shown = papers.of("b");
        DurableDirectory durable = new DurableDirectory(directory, directory);
        PeerDoor door = new PeerDoor(unasked(), durable, new FlushedLog(), new Ballot(directory, durable), true);
        SocketRpc caller = new SocketRpc(
                new SocketTransport(),
                "b",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                PeerSockets.withCertificates(shown.keys(), shown.trust(), shown.memberName()),
                door);
        callers.add(caller);
        caller.addRaftPeers(List.of(Peers.peer(new Member(c, self.peerAddress(), "c:1", Part.VOTER))));
        assertThatThrownBy(() -> caller.appendEntries(append(b).toBuilder()
                        .setServerRequest(
                                from(b).toBuilder().setReplyId(Peers.id(c).toByteString()))
                        .build()))
                .hasMessageContaining("at the address of " + c)
                .hasMessageContaining("the certificate of a");
        assertThat(term()).isLessThan(TERM);
    }
}
