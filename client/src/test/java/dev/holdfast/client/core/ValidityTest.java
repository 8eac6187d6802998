package dev.holdfast.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.grant.AcquireOptions;
import dev.holdfast.client.network.Network;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.SessionEvents;
import dev.holdfast.client.session.SessionSettings;
import dev.holdfast.client.time.ElapsedClock;
import dev.holdfast.protocol.v1.Attached;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.ClientMessage.BodyCase;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Hold;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.LeaseGrantResponse;
import dev.holdfast.protocol.v1.LeaseRevokeResponse;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.Renewed;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.Welcome;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A grant's life in virtual time: the real session against a node that answers as told. */
class ValidityTest {
    private static final Duration TTL = Duration.ofSeconds(12);
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final VirtualTime time = new VirtualTime();
    private final Node node = new Node();
    private final Session session = new Session(
            new SessionSettings(
                    "test", TTL, Duration.ZERO, Duration.ofMinutes(5), Duration.ofMillis(20), Duration.ofSeconds(1)),
            List.of("node:1"),
            node,
            new ElapsedClock(time),
            time,
            task -> false,
            Runnable::run,
            new Random(1),
            SessionEvents.NONE);
    private final ClientCore core = new ClientCore(session);

    private final List<String> told = new ArrayList<>();

    private Grant acquire() throws InterruptedException {
        AcquireOptions options = new AcquireOptions(
                List.of(Item.newBuilder().setKey("a").build()),
                AcquireOptions.FOREVER,
                0,
                0,
                0,
                "",
                ByteString.EMPTY,
                0);
        Grant grant = core.grants().acquire(options).await().orElseThrow();
        grant.onJeopardy(() -> told.add("jeopardy"));
        grant.onLost(loss -> told.add(loss.reason().name()));
        return grant;
    }

    @Test
    void behaviour_04_renewed_at_a_third_in_jeopardy_at_two_thirds_lost_at_the_deadline() throws Exception {
        Grant grant = acquire();
        time.pass(TTL.dividedBy(3).minus(MOMENT));
        assertThat(node.count(BodyCase.RENEW)).isZero();
        time.pass(MOMENT);
        assertThat(node.count(BodyCase.RENEW)).isEqualTo(1);
        node.deaf = true;
        time.pass(TTL.multipliedBy(2).dividedBy(3).minus(MOMENT));
        assertThat(grant.state()).isEqualTo(Grant.State.HELD);
        time.pass(MOMENT);
        assertThat(grant.state()).isEqualTo(Grant.State.JEOPARDY);
        assertThat(grant.isValid()).isTrue();
        // 1 % and 50 ms before the end of the lease that the last answered renewal began.
        Duration rest = TTL.dividedBy(3).minus(TTL.dividedBy(100)).minusMillis(50);
        time.pass(rest.minus(MOMENT));
        assertThat(grant.isValid()).isTrue();
        time.pass(MOMENT);
        assertThat(grant.isValid()).isFalse();
        assertThat(told).containsExactly("jeopardy", Loss.Reason.UNREACHABLE.name());
    }

    @Test
    void behaviour_04_an_answer_after_the_deadline_brings_nothing_back_and_the_lease_is_ended() throws Exception {
        Grant grant = acquire();
        node.late = true;
        time.pass(TTL.dividedBy(3));
        assertThat(node.count(BodyCase.RENEW)).isEqualTo(1);
        // The process stands still past its deadline; the answer is the first thing it sees.
        time.stop(TTL);
        node.deliverLate();
        assertThat(grant.isValid()).isFalse();
        assertThat(grant.state()).isEqualTo(Grant.State.LOST);
        node.late = false;
        time.pass(Duration.ofSeconds(5));
        assertThat(node.count(BodyCase.LEASE_REVOKE)).isPositive();
        Grant next = acquire();
        assertThat(next.isValid()).isTrue();
        assertThat(node.count(BodyCase.LEASE_GRANT)).isEqualTo(2);
    }

    @Test
    void behaviour_06_a_machine_that_slept_through_the_lease_finds_out_at_the_first_look() throws Exception {
        Grant grant = acquire();
        time.sleep(TTL);
        assertThat(grant.isValid()).isFalse();
        assertThat(told).containsExactly(Loss.Reason.UNREACHABLE.name());
    }

    @Test
    void behaviour_15_a_wall_clock_that_jumped_ahead_is_a_doubt_until_something_asked_after_it_is_answered()
            throws Exception {
        Grant grant = acquire();
        node.late = true;
        time.pass(TTL.dividedBy(3).plus(MOMENT));
        time.jumpWall(Duration.ofHours(1));
        assertThat(grant.isValid()).isTrue();
        assertThat(grant.state()).isEqualTo(Grant.State.JEOPARDY);
        node.deliverLate(); // asked before the jump
        assertThat(grant.state()).isEqualTo(Grant.State.JEOPARDY);
        node.late = false;
        time.pass(TTL.dividedBy(3).plus(MOMENT));
        assertThat(grant.state()).isEqualTo(Grant.State.HELD);
        assertThat(told).doesNotContain(Loss.Reason.UNREACHABLE.name());
    }

    @Test
    void a_request_that_overtook_its_lease_is_asked_again_when_there_is_one() throws Exception {
        node.leaderless = true;
        AcquireOptions options = new AcquireOptions(
                List.of(Item.newBuilder().setKey("a").build()),
                AcquireOptions.FOREVER,
                0,
                0,
                0,
                "",
                ByteString.EMPTY,
                0);
        CompletableFuture<Grant> future = core.grants().acquire(options).future(Optional::orElseThrow);
        time.pass(Duration.ofSeconds(2));
        assertThat(future).isNotDone();
        assertThat(node.count(BodyCase.ACQUIRE)).isPositive();
        node.leaderless = false;
        time.pass(Duration.ofSeconds(2));
        assertThat(future.join().isValid()).isTrue();
    }

    /** A node that grants everything at once; or keeps its answers to renewals back; or says nothing. */
    private final class Node implements Network, Network.Line {
        private final List<ClientMessage> sent = new ArrayList<>();
        private final List<ServerMessage> kept = new ArrayList<>();
        private boolean deaf;
        private boolean late;
        private boolean leaderless;
        private boolean leased;
        private Receiver receiver = new Receiver() {
            @Override
            public void received(ServerFrame frame) {}

            @Override
            public void ended(Throwable cause) {}
        };

        long count(BodyCase kind) {
            return sent.stream()
                    .filter(message -> message.getBodyCase() == kind)
                    .count();
        }

        @Override
        public Line open(String endpoint, Receiver opened) {
            receiver = opened;
            return this;
        }

        @Override
        public void send(ClientFrame frame) {
            for (ClientMessage message : frame.getMessagesList()) {
                if (deaf) {
                    continue;
                }
                sent.add(message);
                ServerMessage answer = answer(message);
                if (late && message.getBodyCase() == BodyCase.RENEW) {
                    kept.add(answer);
                } else {
                    deliver(answer);
                }
            }
        }

        void deliverLate() {
            kept.forEach(this::deliver);
            kept.clear();
        }

        private void deliver(ServerMessage answer) {
            receiver.received(ServerFrame.newBuilder().addMessages(answer).build());
        }

        private ServerMessage answer(ClientMessage message) {
            long now = time.clusterMillis();
            long end = now + TTL.toMillis();
            ServerMessage.Builder answer =
                    ServerMessage.newBuilder().setId(message.getId()).setClusterTimeMs(now);
            if (leaderless && message.getBodyCase() == BodyCase.LEASE_GRANT) {
                return answer.setError(Error.newBuilder().setCode(Code.NO_LEADER))
                        .build();
            } else if (!leased && message.getBodyCase() == BodyCase.ACQUIRE) {
                return answer.setError(Error.newBuilder().setCode(Code.LEASE_NOT_FOUND))
                        .build();
            }
            leased |= message.getBodyCase() == BodyCase.LEASE_GRANT;
            return switch (message.getBodyCase()) {
                case HELLO ->
                    answer.setWelcome(Welcome.newBuilder().setLeader(true)).build();
                case LEASE_GRANT ->
                    answer.setLeaseGranted(LeaseGrantResponse.newBuilder().setEndMs(end))
                            .build();
                case ATTACH ->
                    answer.setAttached(Attached.newBuilder().setExists(true).addFencingTokens(7))
                            .build();
                case RENEW ->
                    answer.setRenewed(Renewed.newBuilder()
                                    .addAllLeaseIds(message.getRenew().getLeaseIdsList())
                                    .addEndMs(end))
                            .build();
                case ACQUIRE ->
                    answer.setLock(LockResponse.newBuilder()
                                    .setAcquired(true)
                                    .setFencingToken(7)
                                    .addHolds(Hold.newBuilder().setKey("a")))
                            .build();
                case LEASE_REVOKE ->
                    answer.setLeaseRevoked(LeaseRevokeResponse.getDefaultInstance())
                            .build();
                default -> throw new AssertionError(message.toString());
            };
        }

        @Override
        public <Q, A> CompletableFuture<A> call(
                String endpoint, MethodDescriptor<Q, A> method, Q question, Duration timeout) {
            throw new AssertionError("nothing is asked outside the stream");
        }

        @Override
        public void close() {}
    }
}
