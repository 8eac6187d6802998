package dev.holdfast.server.grpc;

import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.UnlockRequest;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A client's end of a session: numbers its messages and keeps what comes, in order. */
final class TestSession {
    final Recorder<ClientFrame, ServerFrame> frames;
    final StreamObserver<ClientFrame> stream;
    private final ArrayDeque<ServerMessage> received = new ArrayDeque<>();
    private long lastId;

    TestSession(TestNode node) {
        this(node, Recorder.eager());
    }

    TestSession(TestNode node, Recorder<ClientFrame, ServerFrame> frames) {
        this.frames = frames;
        this.stream = node.streams().session(frames);
    }

    /** A session that has been welcomed. */
    static TestSession open(TestNode node) {
        TestSession session = new TestSession(node);
        session.ask(message().setHello(Hello.newBuilder().setClientId("client")));
        return session;
    }

    static ClientMessage.Builder message() {
        return ClientMessage.newBuilder();
    }

    static ClientMessage.Builder grant(long lease, long ttlMillis) {
        return message()
                .setLeaseGrant(LeaseGrantRequest.newBuilder().setId(lease).setTtlMs(ttlMillis));
    }

    static ClientMessage.Builder acquire(LockRequest.Builder request) {
        return message().setAcquire(request);
    }

    static ClientMessage.Builder release(long lease, String key, long token) {
        return message()
                .setRelease(UnlockRequest.newBuilder()
                        .setLeaseId(lease)
                        .setName(key)
                        .setFencingToken(token));
    }

    /** Sends messages in one frame; gives the id of the last, those before have the ids before. */
    long send(ClientMessage.Builder... messages) {
        ClientFrame.Builder frame = ClientFrame.newBuilder();
        Arrays.stream(messages).forEach(message -> frame.addMessages(message.setId(++lastId)));
        stream.onNext(frame.build());
        return lastId;
    }

    /** Sends a message and waits for its answer, which must be the next to come. */
    ServerMessage ask(ClientMessage.Builder message) {
        long id = send(message);
        ServerMessage answer = next();
        if (answer.getId() != id) {
            throw new AssertionError("not the answer to " + id + ": " + answer);
        }
        return answer;
    }

    /** The next messages, in the order of what they answer: answers may overtake each other. */
    List<ServerMessage> answers(int count) {
        return Stream.generate(this::next)
                .limit(count)
                .sorted(Comparator.comparingLong(ServerMessage::getId))
                .toList();
    }

    ServerMessage next() {
        while (received.isEmpty()) {
            received.addAll(frames.next().getMessagesList());
        }
        return received.remove();
    }
}
