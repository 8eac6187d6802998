package dev.holdfast.chaos;

import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A client's end of a session: numbers its messages and keeps all that comes. */
final class SessionClient {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Queue<ServerMessage> received = new ConcurrentLinkedQueue<>();
    private final StreamObserver<ClientFrame> requests;
    private volatile boolean broken;
    private volatile @Nullable Throwable cause;
    private long lastId;

    /** Opens a session with the node at an address. */
    SessionClient(Clients clients, String address, String clientId) {
        requests = clients.streams(address).session(new StreamObserver<>() {
            @Override
            public void onNext(ServerFrame frame) {
                received.addAll(frame.getMessagesList());
            }

            @Override
            public void onError(Throwable failure) {
                cause = failure;
                broken = true;
            }

            @Override
            public void onCompleted() {
                broken = true;
            }
        });
        ask(ClientMessage.newBuilder().setHello(Hello.newBuilder().setClientId(clientId)));
    }

    static LockRequest.Builder waiting(String key, long lease, long seq) {
        return LockRequest.newBuilder()
                .setName(key)
                .setLeaseId(lease)
                .setSeq(seq)
                .setTimeoutMs(-1);
    }

    /** Sends a message and gives its answer; sends it again while the answer is that the service is not there. */
    ServerMessage ask(ClientMessage.Builder message) {
        while (true) {
            long id = ++lastId;
            requests.onNext(
                    ClientFrame.newBuilder().addMessages(message.setId(id)).build());
            ServerMessage answer = awaitMessage(candidate -> candidate.getId() == id);
            if (!answer.hasError()) {
                return answer;
            }
            switch (answer.getError().getCode()) {
                case UNAVAILABLE, NO_LEADER -> {}
                default -> throw new AssertionError(answer.toString());
            }
        }
    }

    /** Sends a message whose answer nobody waits for. */
    void tell(ClientMessage.Builder message) {
        requests.onNext(
                ClientFrame.newBuilder().addMessages(message.setId(++lastId)).build());
    }

    /** Waits until an acquire that was queued has been granted, which the server tells unasked. */
    ServerMessage awaitGrant(long lease, long seq) {
        return awaitMessage(message -> message.getId() == 0
                && message.getLeaseId() == lease
                && message.getSeq() == seq
                && message.getLock().getAcquired());
    }

    private ServerMessage awaitMessage(Predicate<ServerMessage> wanted) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .until(
                        () -> {
                            boolean over = broken;
                            Optional<ServerMessage> found =
                                    received.stream().filter(wanted).findFirst();
                            if (over && found.isEmpty()) {
                                throw cause instanceof StatusRuntimeException refused
                                        ? refused
                                        : new IllegalStateException("the session has ended", cause);
                            }
                            return found;
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Forgets what has come, and gives it. */
    List<ServerMessage> take() {
        List<ServerMessage> taken = new ArrayList<>();
        for (ServerMessage each = received.poll(); each != null; each = received.poll()) {
            taken.add(each);
        }
        return taken;
    }

    boolean isBroken() {
        return broken;
    }

    void awaitBroken() {
        await().atMost(PATIENCE).until(() -> broken);
    }
}
