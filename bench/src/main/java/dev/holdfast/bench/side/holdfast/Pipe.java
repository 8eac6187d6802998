package dev.holdfast.bench.side.holdfast;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceStub;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One session stream on a connection of its own that carries many messages at once. Used by one thread. */
final class Pipe implements AutoCloseable {
    private static final int FRAME = 128;
    /** Messages that may be unanswered: fewer than a lease's requests may run ahead of what is acknowledged. */
    static final int ON_THEIR_WAY = 2_048;

    private static final long PATIENCE_SECONDS = 60;

    private final ClientFactory factory = ClientFactory.builder().build();
    private final Semaphore room = new Semaphore(ON_THEIR_WAY);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Consumer<ServerMessage> answers;
    private final StreamObserver<ClientFrame> requests;
    private final List<ClientMessage> gathered = new ArrayList<>();
    private long lastId;

    /** Answers come on a thread of the connection, and those that say that nobody leads just now. */
    Pipe(String address, String clientId, Consumer<ServerMessage> answers) throws InterruptedException {
        this.answers = answers;
        this.requests = GrpcClients.builder("gproto+http://" + address + "/")
                .factory(factory)
                .responseTimeout(Duration.ZERO)
                .maxResponseLength(0)
                .build(LockServiceStub.class)
                .session(new Receiver());
        send(ClientMessage.newBuilder().setHello(Hello.newBuilder().setClientId(clientId)));
        awaitAnswers();
    }

    /** Sends it with others; waits while too many are unanswered. */
    void send(ClientMessage.Builder message) throws InterruptedException {
        if (!room.tryAcquire()) {
            flush();
            acquire(1);
        }
        gathered.add(message.setId(++lastId).build());
        if (gathered.size() == FRAME) {
            flush();
        }
    }

    void flush() {
        if (!gathered.isEmpty()) {
            requests.onNext(ClientFrame.newBuilder().addAllMessages(gathered).build());
            gathered.clear();
        }
    }

    void awaitAnswers() throws InterruptedException {
        flush();
        acquire(ON_THEIR_WAY);
        room.release(ON_THEIR_WAY);
    }

    private void acquire(int count) throws InterruptedException {
        boolean found = room.tryAcquire(count, PATIENCE_SECONDS, TimeUnit.SECONDS);
        Throwable failed = failure.get();
        if (failed != null || !found) {
            throw new IllegalStateException(
                    failed == null ? "no answer for " + PATIENCE_SECONDS + " s" : "the session failed: " + failed,
                    failed);
        }
    }

    @Override
    public void close() {
        requests.onCompleted();
        factory.close();
    }

    private final class Receiver implements StreamObserver<ServerFrame> {
        @Override
        public void onNext(ServerFrame frame) {
            for (ServerMessage message : frame.getMessagesList()) {
                if (message.hasError() && !isPassing(message.getError().getCode())) {
                    onError(new IllegalStateException(message.getError().toString()));
                }
                answers.accept(message);
                if (message.getId() != 0) {
                    room.release();
                }
            }
        }

        /** Without a leader for a moment; whoever asked may ask again. */
        private static boolean isPassing(Code code) {
            return code == Code.UNAVAILABLE || code == Code.NO_LEADER;
        }

        @Override
        public void onError(Throwable cause) {
            failure.compareAndSet(null, cause);
            room.release(ON_THEIR_WAY); // whoever waits looks at the failure
        }

        @Override
        public void onCompleted() {
            onError(new IllegalStateException("the node ended the session"));
        }
    }
}
