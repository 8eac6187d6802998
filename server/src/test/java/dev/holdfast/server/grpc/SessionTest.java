package dev.holdfast.server.grpc;

import static dev.holdfast.server.grpc.TestSession.acquire;
import static dev.holdfast.server.grpc.TestSession.grant;
import static dev.holdfast.server.grpc.TestSession.message;
import static dev.holdfast.server.grpc.TestSession.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.protocol.v1.Attach;
import dev.holdfast.protocol.v1.CancelRequest;
import dev.holdfast.protocol.v1.CancelResponse;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.DowngradeRequest;
import dev.holdfast.protocol.v1.EndReason;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.LeaseExtendRequest;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.LeaseTimeToLiveRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.Mode;
import dev.holdfast.protocol.v1.Renew;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.ServerMessage.BodyCase;
import dev.holdfast.protocol.v1.UnlockResponse;
import dev.holdfast.protocol.v1.UpgradeRequest;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.Welcome;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionTest {
    private static final long LEASE = 101;
    private static final long OTHER = 202;

    private final TestNode node = new TestNode();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void hello_is_answered_with_the_cluster_and_its_members() {
        TestSession session = new TestSession(node);
        session.send(message().setHello(Hello.newBuilder().setClusterId(TestNode.CLUSTER)));
        ServerFrame frame = session.frames.next();
        Welcome welcome = frame.getMessages(0).getWelcome();
        assertThat(welcome.getClusterId()).isEqualTo(TestNode.CLUSTER);
        assertThat(welcome.getLeader()).isTrue();
        assertThat(welcome.getMembersList()).hasSize(2);
        assertThat(frame.getHeader().getMemberId()).isEqualTo(TestNode.MEMBER);
        assertThat(node.core.sessions().count()).isEqualTo(1);
    }

    @Test
    void wrong_cluster_ends_the_stream() {
        TestSession session = new TestSession(node);
        session.send(message().setHello(Hello.newBuilder().setClusterId(4711)));
        assertThat(Failing.error(Code.WRONG_CLUSTER, session.frames.failure()).getSubject())
                .isEqualTo("cluster_id");
        await().until(() -> node.core.sessions().count() == 0);
    }

    @Test
    void message_before_hello_and_message_without_a_body_are_refused_and_the_stream_goes_on() {
        TestSession session = new TestSession(node);
        ServerMessage early = session.ask(grant(LEASE, 60_000));
        assertThat(early.getError().getCode()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(early.getError().getSubject()).isEqualTo("hello");
        session.ask(message().setHello(Hello.getDefaultInstance()));
        long before = node.revision();
        ServerMessage empty = session.ask(message());
        assertThat(empty.getError().getCode()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(empty.getError().getSubject()).isEqualTo("body");
        assertThat(node.revision()).isEqualTo(before);
        assertThat(session.ask(grant(LEASE, 60_000)).hasLeaseGranted()).isTrue();
    }

    @Test
    void messages_of_one_frame_are_carried_out_in_order() {
        TestSession session = TestSession.open(node);
        session.send(
                grant(LEASE, 60_000),
                acquire(TestNode.request(LEASE, "a", 1)),
                acquire(TestNode.request(LEASE, "b", 2)),
                acquire(TestNode.request(LEASE, "a", 3)),
                release(OTHER, "a", 1));
        List<ServerMessage> answers = session.answers(5);
        ServerMessage granted = answers.get(0);
        assertThat(granted.getLeaseGranted().getId()).isEqualTo(LEASE);
        assertThat(granted.getClusterTimeMs()).isPositive();
        ServerMessage first = answers.get(1);
        assertThat(first.getLock().getAcquired()).isTrue();
        assertThat(first.getLeaseId()).isEqualTo(LEASE);
        assertThat(first.getSeq()).isEqualTo(1);
        ServerMessage second = answers.get(2);
        assertThat(second.getLock().getFencingToken())
                .isGreaterThan(first.getLock().getFencingToken());
        assertThat(answers.get(3).getLock().getCode()).isEqualTo(Code.LOCK_ALREADY_HELD);
        assertThat(answers.get(4).getError().getCode()).isEqualTo(Code.LEASE_NOT_FOUND);
        var view = node.locks.leaseTimeToLive(
                LeaseTimeToLiveRequest.newBuilder().setId(LEASE).build());
        assertThat(view.getClientId()).as("as in the hello").isEqualTo("client");
    }

    @Test
    void waiting_acquire_is_answered_as_queued_and_its_grant_is_pushed() {
        TestSession session = TestSession.open(node);
        long holder = node.lease();
        LockResponse held = node.hold(holder, "a", 1);
        session.ask(grant(LEASE, 60_000));
        ServerMessage queued =
                session.ask(acquire(TestNode.request(LEASE, "a", 1).setTimeoutMs(-1)));
        assertThat(queued.getLock().getQueued()).isTrue();
        assertThat(queued.getLock().getBlockedOn()).isEqualTo("a");
        assertThat(queued.getLock().getAcquired()).isFalse();
        session.ask(release(holder, "a", held.getFencingToken()));
        ServerMessage pushed = session.next();
        assertThat(pushed.getId()).isZero();
        assertThat(pushed.getLeaseId()).isEqualTo(LEASE);
        assertThat(pushed.getSeq()).isEqualTo(1);
        assertThat(pushed.getLock().getAcquired()).isTrue();
        assertThat(pushed.getLock().getFencingToken()).isGreaterThan(held.getFencingToken());
        assertThat(pushed.getLock().getLeaseEndMs()).isGreaterThan(pushed.getClusterTimeMs());
        ServerMessage released =
                session.ask(release(LEASE, "a", pushed.getLock().getFencingToken()));
        assertThat(released.getUnlock().getOutcome()).isEqualTo(UnlockResponse.Outcome.RELEASED);
    }

    @Test
    void who_waits_on_a_stream_is_told_on_it_though_the_lease_was_never_attached() {
        TestSession session = TestSession.open(node);
        long lease = node.lease();
        long holder = node.lease();
        LockResponse held = node.hold(holder, "a", 1);
        session.ask(acquire(TestNode.request(lease, "a", 1).setTimeoutMs(-1)));
        session.ask(release(holder, "a", held.getFencingToken()));
        ServerMessage pushed = session.next();
        assertThat(pushed.getLeaseId()).isEqualTo(lease);
        assertThat(pushed.getLock().getAcquired()).isTrue();
    }

    @Test
    void timeout_and_cancel_of_a_wait_are_pushed() {
        TestSession session = TestSession.open(node);
        node.hold(node.lease(), "a", 1);
        session.ask(grant(LEASE, 60_000));
        session.ask(acquire(TestNode.request(LEASE, "a", 1).setTimeoutMs(30)));
        ServerMessage late = session.next();
        assertThat(late.getId()).isZero();
        assertThat(late.getSeq()).isEqualTo(1);
        assertThat(late.getLock().getCode()).isEqualTo(Code.TIMEOUT);
        session.ask(acquire(TestNode.request(LEASE, "a", 2).setTimeoutMs(-1)));
        long cancel = session.send(
                message().setCancel(CancelRequest.newBuilder().setLeaseId(LEASE).setSeq(2)));
        // The answer to the cancel and the end of the wait come in any order.
        List<ServerMessage> both = List.of(session.next(), session.next());
        assertThat(both).anySatisfy(answer -> {
            assertThat(answer.getId()).isEqualTo(cancel);
            assertThat(answer.getCancelled().getWas()).isEqualTo(CancelResponse.Was.WAITING);
        });
        assertThat(both).anySatisfy(pushed -> {
            assertThat(pushed.getId()).isZero();
            assertThat(pushed.getSeq()).isEqualTo(2);
            assertThat(pushed.getLock().getCode()).isEqualTo(Code.CANCELLED);
        });
    }

    @Test
    void immediate_upgrade_is_answered_once_and_a_waiting_one_is_pushed() {
        TestSession session = TestSession.open(node);
        session.ask(grant(LEASE, 60_000));
        ServerMessage shared =
                session.ask(acquire(TestNode.request(LEASE, "a", 1).setMode(Mode.SHARED)));
        ServerMessage upgraded = session.ask(upgrade(shared.getLock().getFencingToken(), 2));
        assertThat(upgraded.getLock().getAcquired()).isTrue();
        ServerMessage downgraded = session.ask(message()
                .setDowngrade(DowngradeRequest.newBuilder()
                        .setName("a")
                        .setLeaseId(LEASE)
                        .setFencingToken(upgraded.getLock().getFencingToken())));
        assertThat(downgraded.getLock().getHolds(0).getMode()).isEqualTo(Mode.SHARED);
        long sharer = node.lease();
        LockResponse theirs = node.locks.lock(
                TestNode.request(sharer, "a", 1).setMode(Mode.SHARED).build());
        assertThat(session.ask(upgrade(upgraded.getLock().getFencingToken(), 3))
                        .getLock()
                        .getQueued())
                .isTrue();
        session.ask(release(sharer, "a", theirs.getFencingToken()));
        ServerMessage pushed = session.next();
        assertThat(pushed.getSeq()).isEqualTo(3);
        assertThat(pushed.getLock().getAcquired()).isTrue();
        assertThat(pushed.getLock().getLeaseEndMs()).isPositive();
    }

    @Test
    void description_is_answered_with_the_token_and_a_refused_one_with_an_error() {
        TestSession session = TestSession.open(node);
        session.ask(grant(LEASE, 60_000));
        long token =
                session.ask(acquire(TestNode.request(LEASE, "a", 1))).getLock().getFencingToken();
        ServerMessage described = session.ask(describe(token));
        assertThat(described.getDescribed().getFencingToken()).isEqualTo(token);
        assertThat(described.getLeaseId()).isEqualTo(LEASE);
        assertThat(session.ask(describe(token + 1)).getError().getCode()).isEqualTo(Code.NOT_HOLDER);
    }

    private static dev.holdfast.protocol.v1.ClientMessage.Builder describe(long token) {
        return message()
                .setDescribe(DescribeRequest.newBuilder()
                        .setName("a")
                        .setLeaseId(LEASE)
                        .setFencingToken(token)
                        .setMetadata(ByteString.copyFromUtf8("half done")));
    }

    @Test
    void renewal_of_a_vector_answers_each_lease() {
        TestSession session = TestSession.open(node);
        session.ask(grant(LEASE, 60_000));
        long before = node.revision();
        ServerMessage renewed = session.ask(message()
                .setRenew(Renew.newBuilder().addLeaseIds(LEASE).addLeaseIds(0).addLeaseIds(9)));
        assertThat(renewed.getRenewed().getLeaseIdsList()).containsExactly(LEASE, 0L, 9L);
        assertThat(renewed.getRenewed().getEndMsList()).containsExactly(renewed.getClusterTimeMs() + 60_000, -1L, -1L);
        assertThat(node.revision()).isEqualTo(before);
    }

    @Test
    void expiry_of_a_lease_pushes_every_loss_and_then_its_end() {
        TestSession session = TestSession.open(node);
        node.hold(node.lease(), "a", 1);
        session.ask(grant(LEASE, 150));
        ServerMessage held = session.ask(acquire(TestNode.request(LEASE, "mine", 1)));
        session.ask(acquire(TestNode.request(LEASE, "a", 2).setTimeoutMs(-1)));
        ServerMessage wait = session.next();
        assertThat(wait.getSeq()).isEqualTo(2);
        assertThat(wait.getError().getCode()).isEqualTo(Code.LEASE_EXPIRED);
        ServerMessage loss = session.next();
        assertThat(loss.getGrantEnded().getFencingToken())
                .isEqualTo(held.getLock().getFencingToken());
        assertThat(loss.getGrantEnded().getReason()).isEqualTo(EndReason.EXPIRED);
        ServerMessage end = session.next();
        assertThat(end.getBodyCase()).isEqualTo(BodyCase.LEASE_ENDED);
        assertThat(end.getLeaseId()).isEqualTo(LEASE);
        Listening.nobody(node.core.listeners());
    }

    @Test
    void forced_release_is_pushed_with_who_and_why() {
        TestSession session = TestSession.open(node);
        session.ask(grant(LEASE, 60_000));
        long token =
                session.ask(acquire(TestNode.request(LEASE, "a", 1))).getLock().getFencingToken();
        node.submit(new Command.ForceRelease(LockKey.of("a"), token, "ann", "stuck"));
        ServerMessage loss = session.next();
        assertThat(loss.getGrantEnded().getFencingToken()).isEqualTo(token);
        assertThat(loss.getGrantEnded().getReason()).isEqualTo(EndReason.FORCED);
        assertThat(loss.getGrantEnded().getDetail()).isEqualTo("ann: stuck");
        assertThat(loss.getSeq()).isEqualTo(1);
    }

    @Test
    void revoked_and_extended_leases_are_answered() {
        TestSession session = TestSession.open(node);
        session.ask(grant(LEASE, 60_000));
        ServerMessage extended = session.ask(message()
                .setLeaseExtend(LeaseExtendRequest.newBuilder().setId(LEASE).setAdditionalMs(1_000)));
        assertThat(extended.getLeaseGranted().getTtlMs()).isEqualTo(61_000);
        ServerMessage revoked = session.ask(
                message().setLeaseRevoke(LeaseRevokeRequest.newBuilder().setId(LEASE)));
        assertThat(revoked.hasLeaseRevoked()).isTrue();
        assertThat(session.next().getLeaseEnded().getReason()).isEqualTo(EndReason.REVOKED);
    }

    @Test
    void session_that_comes_back_attaches_and_is_told_again() {
        TestSession first = TestSession.open(node);
        long holder = node.lease();
        LockResponse held = node.hold(holder, "a", 1);
        first.ask(grant(LEASE, 60_000));
        first.ask(acquire(TestNode.request(LEASE, "a", 1).setTimeoutMs(-1)));
        first.frames.cancel();
        Listening.nobody(node.core.listeners());
        assertThat(node.waiters("a")).as("leases and places live on").isEqualTo(1);

        TestSession second = TestSession.open(node);
        ServerMessage attached = second.ask(attach(LEASE));
        assertThat(attached.getAttached().getExists()).isTrue();
        assertThat(attached.getAttached().getEndMs()).isGreaterThan(attached.getClusterTimeMs());
        assertThat(second.ask(attach(LEASE)).getAttached().getExists()).isTrue();
        second.ask(release(holder, "a", held.getFencingToken()));
        assertThat(second.next().getLock().getAcquired()).isTrue();
        assertThat(second.ask(attach(4711)).getAttached().getExists()).isFalse();
    }

    @Test
    void attach_tells_which_grants_the_lease_still_holds() {
        TestSession first = TestSession.open(node);
        first.ask(grant(LEASE, 60_000));
        long kept =
                first.ask(acquire(TestNode.request(LEASE, "a", 1))).getLock().getFencingToken();
        long taken =
                first.ask(acquire(TestNode.request(LEASE, "b", 2))).getLock().getFencingToken();
        node.hold(node.lease(), "c", 1);
        first.ask(acquire(TestNode.request(LEASE, "c", 3).setTimeoutMs(-1)));
        TestSession second = TestSession.open(node);
        assertThat(second.ask(attach(LEASE)).getAttached().getFencingTokensList())
                .containsExactly(kept, taken);
        second.frames.cancel();
        first.frames.cancel();
        Listening.nobody(node.core.listeners());
        node.submit(new Command.ForceRelease(LockKey.of("b"), taken, "ann", "while nobody listened"));

        TestSession third = TestSession.open(node);
        assertThat(third.ask(attach(LEASE)).getAttached().getFencingTokensList())
                .containsExactly(kept);
        assertThat(third.ask(attach(4711)).getAttached().getFencingTokensList()).isEmpty();
    }

    @Test
    void watch_on_a_session_shows_lease_ids_of_attached_leases_only() {
        TestSession session = TestSession.open(node);
        session.ask(grant(LEASE, 60_000));
        ServerMessage created = session.ask(
                message().setWatch(WatchRequest.newBuilder().setPrefix(true).setWatchId(5)));
        assertThat(created.getWatch().getCreated()).isTrue();
        session.send(acquire(TestNode.request(LEASE, "a", 1)));
        List<ServerMessage> both = List.of(session.next(), session.next());
        ServerMessage event =
                both.stream().filter(ServerMessage::hasWatch).findFirst().orElseThrow();
        assertThat(event.getId()).isZero();
        assertThat(event.getWatch().getEvents(0).getKv().getLeaseId()).isEqualTo(LEASE);
        node.hold(node.lease(), "b", 1);
        assertThat(session.next().getWatch().getEvents(0).getKv().getLeaseId()).isZero();
    }

    @Test
    void clients_are_told_to_move() {
        TestSession session = TestSession.open(node);
        node.core.sessions().move("n2:4000", "another node leads");
        ServerMessage move = session.next();
        assertThat(move.getMove().getLeader()).isEqualTo("n2:4000");
        assertThat(move.getMove().getReason()).isEqualTo("another node leads");
    }

    @Test
    void half_closed_session_gets_its_answers_and_ends() {
        TestSession session = TestSession.open(node);
        session.send(grant(LEASE, 60_000), acquire(TestNode.request(LEASE, "a", 1)));
        session.stream.onCompleted();
        List<ServerMessage> answers = session.answers(2);
        assertThat(answers.get(0).hasLeaseGranted()).isTrue();
        assertThat(answers.get(1).getLock().getAcquired()).isTrue();
        session.frames.awaitCompletion();
        await().until(() -> node.core.sessions().count() == 0);
        Listening.nobody(node.core.listeners());
    }

    private static dev.holdfast.protocol.v1.ClientMessage.Builder attach(long lease) {
        return message().setAttach(Attach.newBuilder().setLeaseId(lease));
    }

    private static dev.holdfast.protocol.v1.ClientMessage.Builder upgrade(long token, long seq) {
        return message()
                .setUpgrade(UpgradeRequest.newBuilder()
                        .setName("a")
                        .setLeaseId(LEASE)
                        .setFencingToken(token)
                        .setSeq(seq)
                        .setTimeoutMs(-1));
    }
}
