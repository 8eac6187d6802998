package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.ratis.wire.Nobody;
import dev.holdfast.consensus.ratis.wire.PeerService;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One vote in a term, whatever the engine's threads do at the same time. */
@Timeout(60)
class VotesTest {
    private static final long TERM = 1_000_000;

    @TempDir
    Path directory;

    private final UUID cluster = UUID.randomUUID();
    private final Member a = member("a");
    private final Member b = member("b");
    private final Member c = member("c");
    private final List<SocketRpc> open = new ArrayList<>();

    private static Member member(String name) {
        return new Member(
                new NodeId(name, UUID.randomUUID()), "127.0.0.1:" + TestPorts.next(), name + ":1", Part.VOTER);
    }

    @AfterEach
    void close() throws IOException {
        for (SocketRpc rpc : open) {
            rpc.close();
        }
    }

    private SocketRpc rpc(Member as, PeerService service) {
        HostPort at = HostPort.parse("at", as.peerAddress());
        SocketRpc rpc = new SocketRpc(
                new SocketTransport(),
                as.id().name(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), at.port()),
                PeerSockets.open(),
                service);
        rpc.addRaftPeers(List.of(Peers.peer(a), Peers.peer(b)));
        open.add(rpc);
        return rpc;
    }

    private RaftRpcRequestProto head(Member from, Member to) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(Peers.id(from.id()).toByteString())
                .setReplyId(Peers.id(to.id()).toByteString())
                .setRaftGroupId(RaftGroupIdProto.newBuilder()
                        .setId(RaftGroupId.valueOf(cluster).toByteString()))
                .setCallId(1)
                .build();
    }

    private RequestVoteRequestProto vote(Member from, Member to, long term) {
        return RequestVoteRequestProto.newBuilder()
                .setServerRequest(head(from, to))
                .setCandidateTerm(term)
                .setCandidateLastEntry(TermIndexProto.newBuilder().setTerm(TERM).setIndex(TERM))
                .build();
    }

    private RatisLog start() throws IOException {
        RatisLog log = new RatisLog(
                new RatisSettings(
                        a,
                        cluster,
                        directory,
                        List.of(a, b, c),
                        Duration.ofMillis(300),
                        Duration.ofMillis(600),
                        1 << 20,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                new RecordingReplica(),
                (from, lowest, into) -> Optional.empty());
        log.start();
        return log;
    }

    /** A thread of the engine begins an election, is held up, and stores its vote when another has been answered. */
    @Test
    void vote_that_was_answered_is_not_forgotten_for_an_older_one_that_was_stored_after_it() throws Exception {
        SocketRpc caller = rpc(c, new Nobody());
        RatisLog log = start();
        try {
            assertThat(caller.requestVote(vote(b, a, TERM)).getServerReply().getSuccess())
                    .isTrue();
            log.running()
                    .division()
                    .getRaftLog()
                    .persistMetadata(RaftStorageMetadata.valueOf(TERM - 1, Peers.id(a.id())));
        } finally {
            log.close();
        }
        RatisLog again = start();
        try {
            assertThat(caller.requestVote(vote(c, a, TERM)).getServerReply().getSuccess())
                    .isFalse();
            assertThat(caller.requestVote(vote(b, a, TERM)).getServerReply().getSuccess())
                    .isTrue();
        } finally {
            again.close();
        }
    }

    /** An engine that votes for everybody, and takes an entry only when it is let. */
    private static RaftServer engine(CountDownLatch taking, CountDownLatch let) {
        return proxy(RaftServer.class, (method, argument) -> switch (method) {
            case "appendEntriesAsync" -> {
                taking.countDown();
                let.await();
                yield CompletableFuture.completedFuture(AppendEntriesReplyProto.getDefaultInstance());
            }
            case "requestVote" -> granted();
            default -> throw new AssertionError(method);
        });
    }

    private static RequestVoteReplyProto granted() {
        return RequestVoteReplyProto.newBuilder()
                .setServerReply(RaftRpcReplyProto.newBuilder().setSuccess(true))
                .build();
    }

    /** Another member, that votes for everybody. */
    private static final class Voting extends Nobody {
        @Override
        public void admit(Optional<String> shown, RaftRpcRequestProto request) {}

        @Override
        public RequestVoteReplyProto vote(RequestVoteRequestProto request) {
            return granted();
        }
    }

    private interface Answers {
        @Nullable
        Object to(String method, Object argument) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answers.to(method.getName(), arguments == null ? "" : arguments[0])));
    }

    private PeerDoor door(RaftServer engine) {
        RaftLog empty = proxy(RaftLog.class, (method, argument) -> method.equals("getFlushIndex") ? -1L : null);
        FlushedLog flushed = new FlushedLog();
        flushed.open(proxy(RaftServer.Division.class, (method, argument) -> empty));
        DurableDirectory durable = new DurableDirectory(directory, directory);
        return new PeerDoor(engine, durable, flushed, new Ballot(directory, durable), false);
    }

    @Test
    void no_vote_is_asked_for_while_an_entry_of_the_old_leader_is_being_taken() throws Exception {
        CountDownLatch taking = new CountDownLatch(1);
        CountDownLatch let = new CountDownLatch(1);
        rpc(b, new Voting()).start();
        PeerDoor door = door(engine(taking, let));
        SocketRpc own = rpc(a, door);
        CompletableFuture<Void> append = CompletableFuture.runAsync(() -> {
            try {
                door.append(AppendEntriesRequestProto.getDefaultInstance()).join();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        taking.await();
        assertThatThrownBy(() -> own.requestVote(vote(a, b, TERM))).hasMessageContaining("is taking entries");
        let.countDown();
        append.get(20, TimeUnit.SECONDS);
        assertThat(own.requestVote(vote(a, b, TERM)).getServerReply().getSuccess())
                .isTrue();
    }

    @Test
    void member_that_voted_for_another_asks_for_no_vote_in_that_term_nor_votes_for_a_third() throws Exception {
        PeerDoor door = door(engine(new CountDownLatch(1), new CountDownLatch(0)));
        SocketRpc own = rpc(a, door);
        assertThat(door.vote(vote(b, a, TERM)).getServerReply().getSuccess()).isTrue();
        assertThatThrownBy(() -> own.requestVote(vote(a, b, TERM))).hasMessageContaining("voted for another");
        RequestVoteReplyProto third = door.vote(vote(c, a, TERM));
        assertThat(third.getServerReply().getSuccess()).isFalse();
        assertThat(third.getTerm()).isEqualTo(TERM);
        assertThat(door.vote(vote(c, a, TERM + 1)).getServerReply().getSuccess())
                .isTrue();
    }
}
