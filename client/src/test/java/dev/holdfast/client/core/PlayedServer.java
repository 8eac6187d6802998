package dev.holdfast.client.core;

import dev.holdfast.client.network.Network;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.Header;
import dev.holdfast.protocol.v1.KeyValue;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import dev.holdfast.protocol.v1.Welcome;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.LongStream;

/** Welcomes every stream, says of every watch that it is created, and leaves the rest to the test. */
public final class PlayedServer implements Network {
    public final BlockingQueue<WatchRequest> requests = new LinkedBlockingQueue<>();
    public volatile long revision = 10;
    public volatile GetResponse lock = GetResponse.getDefaultInstance();

    private volatile Receiver receiver = noReceiver();

    private static Receiver noReceiver() {
        return new Receiver() {
            @Override
            public void received(ServerFrame frame) {}

            @Override
            public void ended(Throwable cause) {}
        };
    }

    @Override
    public Line open(String endpoint, Receiver opened) {
        receiver = opened;
        return new Line() {
            @Override
            public void send(ClientFrame frame) {
                frame.getMessagesList().forEach(PlayedServer.this::handle);
            }

            @Override
            public void close() {}
        };
    }

    private void handle(ClientMessage message) {
        if (message.hasHello()) {
            answer(ServerMessage.newBuilder()
                    .setId(message.getId())
                    .setWelcome(Welcome.newBuilder().setLeader(true)));
        } else if (message.hasWatch()) {
            WatchRequest request = message.getWatch();
            long next = request.getStartRevision() == 0 ? revision + 1 : request.getStartRevision();
            WatchResponse.Builder response = WatchResponse.newBuilder()
                    .setHeader(Header.newBuilder().setRevision(revision))
                    .setWatchId(request.getWatchId());
            answer(ServerMessage.newBuilder()
                    .setId(message.getId())
                    .setWatch(
                            request.getCancel()
                                    ? response.setCanceled(true)
                                    : response.setCreated(true).setResumeRevision(next)));
            requests.add(request);
        }
    }

    private void answer(ServerMessage.Builder message) {
        receiver.received(ServerFrame.newBuilder().addMessages(message).build());
    }

    /** Sends events of these revisions, two of each. */
    public void events(long watch, long first, long last) {
        WatchResponse.Builder response =
                WatchResponse.newBuilder().setWatchId(watch).setResumeRevision(last + 1);
        LongStream.rangeClosed(first, last)
                .forEach(each -> response.addEvents(event(each, "a")).addEvents(event(each, "b")));
        answer(ServerMessage.newBuilder().setWatch(response));
    }

    private static Event event(long revision, String key) {
        return Event.newBuilder()
                .setWhat(Event.What.GRANTED)
                .setRevision(revision)
                .setKv(KeyValue.newBuilder().setKey(key))
                .build();
    }

    public void canceled(long watch, Code code, long compactRevision) {
        answer(ServerMessage.newBuilder()
                .setWatch(WatchResponse.newBuilder()
                        .setWatchId(watch)
                        .setHeader(Header.newBuilder().setRevision(revision))
                        .setCanceled(true)
                        .setCompactRevision(compactRevision)
                        .setError(Error.newBuilder().setCode(code))));
    }

    public void breakStream() {
        receiver.ended(Status.UNAVAILABLE.asRuntimeException());
    }

    @Override
    public <Q, A> CompletableFuture<A> call(
            String endpoint, MethodDescriptor<Q, A> method, Q question, Duration timeout) {
        return CompletableFuture.completedFuture(method.parseResponse(lock.toBuilder()
                .setHeader(Header.newBuilder().setRevision(revision))
                .build()
                .toByteString()
                .newInput()));
    }

    @Override
    public void close() {}
}
