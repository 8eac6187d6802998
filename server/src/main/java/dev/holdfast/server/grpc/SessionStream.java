package dev.holdfast.server.grpc;

import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.Move;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.node.Sessions;
import dev.holdfast.server.operation.WatchUpdate;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.request.Stamp;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;

/**
 * The stream of one session: frames in, frames out, and what bounds them.
 *
 * <p>Confined to the event loop of its call. What the messages mean is in {@link SessionMessages}. When the stream
 * ends, its leases live on: the client may come back within their TTL.
 */
final class SessionStream implements StreamObserver<ClientFrame>, Watches.Output, Sessions.Session {
    static final int MAX_MESSAGES = 4_096;

    /** Messages carried out in one turn of the event loop: other connections wait for it. */
    private static final int PER_TURN = 256;

    private final ServerCallStreamObserver<ServerFrame> call;
    private final EventLoop loop;
    private final Requests requests;
    private final Sessions sessions;
    private final GrpcNode edge;
    private final FrameWriter writer;
    private final SessionMessages messages;
    private ClientFrame frame = ClientFrame.getDefaultInstance();
    private int carriedOut;
    private boolean unread;
    private boolean pausing;
    private boolean halfClosed;
    private boolean ended;

    SessionStream(GrpcNode edge, Caller caller, EventLoop loop, ServerCallStreamObserver<ServerFrame> call) {
        this.call = call;
        this.loop = loop;
        this.requests = edge.core().requests();
        this.sessions = edge.core().sessions();
        this.edge = edge;
        Unread.Account account = edge.unread()
                .open(
                        caller.flow().party(),
                        why -> loop.execute(() -> giveUp(0, 0, why + ", most of it of this stream")));
        this.writer = new FrameWriter(call, loop, edge, edge.core().replica().stamp(), account);
        this.messages = new SessionMessages(edge, caller, loop, this);
        sessions.add(this);
        call.disableAutoRequest();
        call.setOnReadyHandler(() -> loop.execute(this::readyAgain));
        call.setOnCancelHandler(this::end);
        call.request(1);
    }

    @Override
    public void onNext(ClientFrame arrived) {
        if (ended) {
            return;
        }
        if (arrived.getMessagesCount() > MAX_MESSAGES) {
            fail(Rejected.quota("messages in a frame", MAX_MESSAGES, arrived.getMessagesCount())
                    .rejection());
            return;
        }
        frame = arrived;
        carriedOut = 0;
        carryOn();
    }

    private void carryOn() {
        if (requests.together(this::carryOutSome)) {
            loop.execute(this::carryOn);
        } else {
            frame = ClientFrame.getDefaultInstance();
            carriedOut = 0;
            unread = true;
            progressed();
        }
    }

    /** Whether there is more in the frame. */
    private boolean carryOutSome() {
        int end = Math.min(carriedOut + PER_TURN, frame.getMessagesCount());
        while (!ended && carriedOut < end) {
            messages.handle(frame.getMessages(carriedOut++));
        }
        return !ended && hasMore();
    }

    private boolean hasMore() {
        return carriedOut < frame.getMessagesCount();
    }

    /** Sends a message that an entry caused. */
    void send(ServerMessage.Builder message, Stamp stamp) {
        if (ended) {
            return;
        }
        writer.add(message, stamp);
        if (writer.isFull()) {
            giveUp(FrameWriter.MAX_MESSAGES, FrameWriter.MAX_MESSAGES + 1L, "too much waits for it");
        }
    }

    /** Ends the stream of a client that does not read. */
    private void giveUp(long limit, long actual, String why) {
        fail(Rejection.of(
                ErrorCode.UNAVAILABLE,
                "session",
                limit,
                actual,
                "the client did not read what it was sent (" + why + "); connect again and attach"));
    }

    /** Sends a message that no entry caused. */
    void send(ServerMessage.Builder message) {
        send(message, writer.latest());
    }

    @Override
    public boolean isReady() {
        return !ended && writer.isReady();
    }

    @Override
    public void send(long messageId, WatchUpdate update) {
        send(ServerMessage.newBuilder().setId(messageId).setWatch(ProtoMapper.watch(update, edge)));
    }

    @Override
    public void move(String leader, String reason) {
        Move move = Move.newBuilder().setLeader(leader).setReason(reason).build();
        loop.execute(() -> send(ServerMessage.newBuilder().setMove(move)));
    }

    /** Ends the stream with an error. */
    void fail(Rejection rejection) {
        if (!ended) {
            writer.flush();
            end();
            call.onError(GrpcErrors.exception(rejection));
        }
    }

    /** A message was answered, or room was made. */
    void progressed() {
        if (ended) {
            return;
        }
        if (unread && !pausing && writer.isReady() && messages.takesMore()) {
            readOn();
        }
        if (halfClosed && !hasMore() && messages.isIdle()) {
            writer.flushAll();
            end();
            call.onCompleted();
        }
    }

    /** A client that is refused all the time is read from later. */
    private void readOn() {
        long pause = messages.pauseNanos();
        if (pause > 0) {
            pausing = true;
            var unused = loop.schedule(this::resume, pause, TimeUnit.NANOSECONDS);
        } else {
            unread = false;
            call.request(1);
        }
    }

    private void resume() {
        pausing = false;
        progressed();
    }

    private void readyAgain() {
        if (!ended) {
            writer.flush();
            messages.pump();
            progressed();
        }
    }

    @Override
    public void onError(Throwable failure) {
        end();
    }

    /** The client has sent all it will; it still gets its answers. */
    @Override
    public void onCompleted() {
        halfClosed = true;
        progressed();
    }

    private void end() {
        if (!ended) {
            ended = true;
            messages.close();
            writer.close();
            sessions.remove(this);
        }
    }
}
