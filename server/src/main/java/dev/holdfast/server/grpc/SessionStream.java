package dev.holdfast.server.grpc;

import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
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

/**
 * The stream of one session: frames in, frames out, and what bounds them.
 *
 * <p>Confined to the event loop of its call. What the messages mean is in {@link SessionMessages}. When the stream
 * ends, its leases live on: the client may come back within their TTL.
 */
final class SessionStream implements StreamObserver<ClientFrame>, Watches.Output, Sessions.Session {
    static final int MAX_MESSAGES = 4_096;

    private final ServerCallStreamObserver<ServerFrame> call;
    private final EventLoop loop;
    private final Requests requests;
    private final Sessions sessions;
    private final GrpcNode edge;
    private final FrameWriter writer;
    private final SessionMessages messages;
    private boolean unread;
    private boolean halfClosed;
    private boolean ended;

    SessionStream(GrpcNode edge, Caller caller, EventLoop loop, ServerCallStreamObserver<ServerFrame> call) {
        this.call = call;
        this.loop = loop;
        this.requests = edge.core().requests();
        this.sessions = edge.core().sessions();
        this.edge = edge;
        this.writer = new FrameWriter(call, loop, edge, edge.core().replica().stamp());
        this.messages = new SessionMessages(edge, caller, loop, this);
        sessions.add(this);
        call.disableAutoRequest();
        call.setOnReadyHandler(() -> loop.execute(this::readyAgain));
        call.setOnCancelHandler(this::end);
        call.request(1);
    }

    @Override
    public void onNext(ClientFrame frame) {
        if (ended) {
            return;
        }
        if (frame.getMessagesCount() > MAX_MESSAGES) {
            fail(Rejected.quota("messages in a frame", MAX_MESSAGES, frame.getMessagesCount())
                    .rejection());
            return;
        }
        unread = requests.together(() -> handled(frame));
        progressed();
    }

    private boolean handled(ClientFrame frame) {
        for (ClientMessage message : frame.getMessagesList()) {
            if (!ended) {
                messages.handle(message);
            }
        }
        return true;
    }

    /** Sends a message that an entry caused. */
    void send(ServerMessage.Builder message, Stamp stamp) {
        if (ended) {
            return;
        }
        writer.add(message, stamp);
        if (writer.isFull()) {
            fail(Rejection.of(
                    ErrorCode.UNAVAILABLE,
                    "session",
                    FrameWriter.MAX_MESSAGES,
                    FrameWriter.MAX_MESSAGES + 1L,
                    "the client did not read what it was sent; connect again and attach"));
        }
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
        if (unread && writer.isReady() && messages.takesMore()) {
            unread = false;
            call.request(1);
        }
        if (halfClosed && messages.isIdle()) {
            writer.flushAll();
            end();
            call.onCompleted();
        }
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
            sessions.remove(this);
        }
    }
}
