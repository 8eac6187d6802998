package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.Attach;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LeaseKeepAliveRequest;
import dev.holdfast.protocol.v1.LeaseKeepAliveResponse;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The streams of a node without a port. */
class EmbeddedStreamsTest {
    private static final long LEASE = 4711;

    @TempDir
    Path root;

    private EmbeddedNode node;
    private EmbeddedClient client;
    private final Heard<ServerFrame> frames = new Heard<>();

    @BeforeEach
    void start() throws Exception {
        node = EmbeddedNode.start(root.resolve("node"));
        client = new EmbeddedClient(node);
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    /** Keeps what a stream says. */
    private static final class Heard<T> implements StreamObserver<T> {
        private final BlockingQueue<T> messages = new LinkedBlockingQueue<>();
        private final CompletableFuture<Boolean> end = new CompletableFuture<>();

        @Override
        public void onNext(T message) {
            messages.add(message);
        }

        @Override
        public void onError(Throwable failure) {
            end.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            end.complete(true);
        }

        T next() throws InterruptedException {
            T message = messages.poll(10, TimeUnit.SECONDS);
            assertThat(message).as("end of the stream: %s", end).isNotNull();
            return message;
        }

        Status failure() throws Exception {
            try {
                end.get(10, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                return Status.fromThrowable(e);
            }
            throw new AssertionError("the stream completed");
        }
    }

    private StreamObserver<ClientFrame> session() throws Exception {
        StreamObserver<ClientFrame> session = client.streams().session(frames);
        send(session, ClientMessage.newBuilder().setHello(Hello.newBuilder().setClientId("me")));
        ServerMessage welcome = frames.next().getMessages(0);
        assertThat(welcome.getWelcome().getLeader()).isTrue();
        assertThat(welcome.getWelcome().getMembersList()).isEmpty();
        return session;
    }

    private static void send(StreamObserver<ClientFrame> session, ClientMessage.Builder message) {
        session.onNext(ClientFrame.newBuilder().addMessages(message).build());
    }

    @Test
    void session_locks_describes_and_attaches() throws Exception {
        StreamObserver<ClientFrame> session = session();
        send(
                session,
                ClientMessage.newBuilder()
                        .setLeaseGrant(
                                LeaseGrantRequest.newBuilder().setId(LEASE).setTtlMs(600_000)));
        assertThat(frames.next().getMessages(0).getLeaseGranted().getId()).isEqualTo(LEASE);
        send(session, ClientMessage.newBuilder().setAcquire(EmbeddedClient.request(LEASE, "a", 1)));
        long token = frames.next().getMessages(0).getLock().getFencingToken();
        assertThat(token).isPositive();
        send(
                session,
                ClientMessage.newBuilder()
                        .setDescribe(DescribeRequest.newBuilder()
                                .setName("a")
                                .setLeaseId(LEASE)
                                .setFencingToken(token)
                                .setMetadata(ByteString.copyFromUtf8("half done"))));
        assertThat(frames.next().getMessages(0).getDescribed().getFencingToken())
                .isEqualTo(token);
        send(session, ClientMessage.newBuilder().setAttach(Attach.newBuilder().setLeaseId(LEASE)));
        assertThat(frames.next().getMessages(0).getAttached().getFencingTokensList())
                .containsExactly(token);
    }

    @Test
    void session_is_told_before_the_node_stops_and_then_ends_as_unavailable() throws Exception {
        session();
        node.close();
        assertThat(frames.next().getMessages(0).getMove().getReason()).isEqualTo("this node is stopping");
        assertThat(frames.failure().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void frame_above_the_limit_ends_the_session() throws Exception {
        StreamObserver<ClientFrame> session = session();
        send(
                session,
                ClientMessage.newBuilder()
                        .setAcquire(LockRequest.newBuilder().setMetadata(ByteString.copyFrom(new byte[70_000]))));
        assertThat(frames.failure().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }

    @Test
    void watch_tells_what_happens_to_a_key() throws Exception {
        Heard<WatchResponse> heard = new Heard<>();
        StreamObserver<WatchRequest> watch = client.streams().watch(heard);
        watch.onNext(WatchRequest.newBuilder().setKey("a").setWatchId(1).build());
        assertThat(heard.next().getCreated()).isTrue();
        client.lease(LEASE);
        long token = client.lock(LEASE, "a", 1).getFencingToken();
        Event event = heard.next().getEvents(0);
        assertThat(event.getWhat()).isEqualTo(Event.What.GRANTED);
        assertThat(event.getKv().getFencingToken()).isEqualTo(token);
        watch.onNext(WatchRequest.newBuilder().setCancel(true).setWatchId(1).build());
        assertThat(heard.next().getCanceled()).isTrue();
        watch.onCompleted();
        assertThat(heard.end.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void lease_is_kept_alive() throws Exception {
        client.lease(LEASE);
        Heard<LeaseKeepAliveResponse> heard = new Heard<>();
        StreamObserver<LeaseKeepAliveRequest> renewals = client.streams().leaseKeepAlive(heard);
        renewals.onNext(LeaseKeepAliveRequest.newBuilder().setId(LEASE).build());
        assertThat(heard.next().getTtlMs()).isPositive();
        renewals.onCompleted();
        assertThat(heard.end.get(10, TimeUnit.SECONDS)).isTrue();
    }
}
