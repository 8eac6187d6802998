package dev.holdfast.client.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.holdfast.client.grant.AcquireOptions;
import dev.holdfast.client.grant.PendingAcquire;
import dev.holdfast.client.network.Network;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.SessionEvents;
import dev.holdfast.client.session.SessionSettings;
import dev.holdfast.client.time.ElapsedClock;
import dev.holdfast.client.time.SystemTicks;
import dev.holdfast.client.time.ThreadTimers;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Hold;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.LeaseGrantResponse;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.Welcome;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In which order a session says what its callers decide. */
class GivingBackTest {
    private final OneNode node = new OneNode();
    private final ThreadTimers timers = new ThreadTimers("test-time");
    private final Session session = new Session(
            new SessionSettings(
                    "test",
                    Duration.ofMinutes(10),
                    Duration.ZERO,
                    Duration.ofMinutes(1),
                    Duration.ofMillis(1),
                    Duration.ofSeconds(1)),
            List.of("somewhere:1"),
            node,
            new ElapsedClock(new SystemTicks()),
            timers,
            timers::execute,
            Runnable::run,
            new Random(1),
            SessionEvents.NONE);
    private final ClientCore core = new ClientCore(session);

    @AfterEach
    void stop() {
        timers.close();
    }

    @Test
    void what_an_interrupted_caller_was_granted_goes_back_before_what_it_asks_for_next() throws Exception {
        PendingAcquire first = core.grants().acquire(options());
        // A task of somebody else, behind which everything below piles up.
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        Thread busy = new Thread(() -> session.execute(() -> {
            begun.complete(true);
            over.join();
        }));
        busy.start();
        begun.join();
        node.grant(node.sent.get(node.sent.size() - 1));
        Thread.currentThread().interrupt();
        assertThatThrownBy(first::await).isInstanceOf(InterruptedException.class);
        PendingAcquire second = core.grants().acquire(options());
        over.complete(true);
        busy.join();

        await().until(() -> node.sent.size() == 5);
        assertThat(node.sent)
                .extracting(ClientMessage::getBodyCase)
                .containsExactly(
                        ClientMessage.BodyCase.HELLO,
                        ClientMessage.BodyCase.LEASE_GRANT,
                        ClientMessage.BodyCase.ACQUIRE,
                        ClientMessage.BodyCase.RELEASE,
                        ClientMessage.BodyCase.ACQUIRE);
        assertThat(second.isDone()).isFalse();
    }

    private static AcquireOptions options() {
        return new AcquireOptions(
                List.of(Item.newBuilder().setKey("a").build()),
                AcquireOptions.FOREVER,
                0,
                0,
                0,
                "",
                ByteString.EMPTY,
                1);
    }

    /** A node that grants leases at once, and locks when it is told to. */
    private static final class OneNode implements Network, Network.Line {
        final List<ClientMessage> sent = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Receiver> receiver = new CompletableFuture<>();

        @Override
        public Line open(String endpoint, Receiver opened) {
            receiver.complete(opened);
            return this;
        }

        @Override
        public void send(ClientFrame frame) {
            for (ClientMessage message : frame.getMessagesList()) {
                sent.add(message);
                ServerMessage.Builder answer = ServerMessage.newBuilder().setId(message.getId());
                switch (message.getBodyCase()) {
                    case HELLO -> answer(answer.setWelcome(Welcome.newBuilder().setLeader(true)));
                    case LEASE_GRANT ->
                        answer(answer.setLeaseGranted(LeaseGrantResponse.newBuilder()
                                .setId(message.getLeaseGrant().getId())
                                .setEndMs(message.getLeaseGrant().getTtlMs())));
                    default -> {}
                }
            }
        }

        void grant(ClientMessage acquire) {
            answer(ServerMessage.newBuilder()
                    .setId(acquire.getId())
                    .setLock(LockResponse.newBuilder()
                            .setAcquired(true)
                            .setFencingToken(7)
                            .addHolds(Hold.newBuilder()
                                    .setKey(acquire.getAcquire().getName()))));
        }

        private void answer(ServerMessage.Builder message) {
            receiver.join()
                    .received(ServerFrame.newBuilder().addMessages(message).build());
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
