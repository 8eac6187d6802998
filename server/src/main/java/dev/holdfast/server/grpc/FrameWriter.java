package dev.holdfast.server.grpc;

import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.request.Stamp;
import io.grpc.stub.ServerCallStreamObserver;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;

/**
 * Gathers what a session has to say and writes it in frames: all that came up in one turn of the event loop, or while
 * the client took no more, shares a frame.
 *
 * <p>Confined to the session's event loop. Bounded: see {@link #isFull}.
 */
final class FrameWriter {
    /** What may wait for a client that does not read. */
    static final int MAX_MESSAGES = 100_000;

    static final long MAX_BYTES = 64L * 1024 * 1024;

    private static final int FRAME_MESSAGES = 4_096;

    /** Above this, what can wait elsewhere should. */
    private static final int READY_MESSAGES = 4_096;

    private static final long READY_BYTES = 256L * 1024;

    private final ServerCallStreamObserver<ServerFrame> call;
    private final EventLoop loop;
    private final GrpcNode edge;
    private final ArrayDeque<ServerMessage> waiting = new ArrayDeque<>();
    private final Unread.Account account;
    private long waitingBytes;
    private long handedOver;
    private boolean closed;
    private boolean flushing;
    private Stamp latest;

    FrameWriter(
            ServerCallStreamObserver<ServerFrame> call,
            EventLoop loop,
            GrpcNode edge,
            Stamp latest,
            Unread.Account account) {
        this.call = call;
        this.loop = loop;
        this.edge = edge;
        this.latest = latest;
        this.account = account;
    }

    /** The newest state this session has heard of, for what no entry answered. */
    Stamp latest() {
        return latest;
    }

    void add(ServerMessage.Builder message, Stamp stamp) {
        if (stamp.index() > latest.index()) {
            latest = stamp;
        }
        ServerMessage stamped = message.setClusterTimeMs(stamp.now())
                .setRevision(stamp.revision())
                .build();
        waiting.add(stamped);
        waitingBytes += stamped.getSerializedSize();
        if (!flushing) {
            flushing = true;
            loop.execute(this::flushTurn);
        }
    }

    /** Too much waits: the client is to be given up. */
    boolean isFull() {
        return waiting.size() > MAX_MESSAGES || waitingBytes > MAX_BYTES;
    }

    boolean isReady() {
        return waiting.size() < READY_MESSAGES && waitingBytes < READY_BYTES;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    private void flushTurn() {
        flushing = false;
        flush();
    }

    /** Everything is given up. */
    void close() {
        closed = true;
        waiting.clear();
        waitingBytes = 0;
        account.close();
    }

    /** Writes as much as the client takes. */
    void flush() {
        if (closed) {
            return; // nothing is kept any more, and must not be counted again
        }
        // Below the call is what it was last given while it took more: as much as a frame, and what the transport
        // keeps.
        handedOver = call.isReady() ? 0 : handedOver;
        while (!waiting.isEmpty() && call.isReady()) {
            handedOver = 0;
            writeFrame();
        }
        account.keeps(waitingBytes + (call.isReady() ? 0 : handedOver));
    }

    /** Writes all of it, whether the client takes it or not: nothing more will come. */
    void flushAll() {
        while (!waiting.isEmpty() && !call.isCancelled()) {
            writeFrame();
        }
    }

    private void writeFrame() {
        ServerFrame.Builder frame = ServerFrame.newBuilder().setHeader(edge.header(latest));
        int bytes = 0;
        while (!waiting.isEmpty() && frame.getMessagesCount() < FRAME_MESSAGES) {
            int size = waiting.element().getSerializedSize();
            if (bytes > 0 && bytes + size > Bounds.MAX_ANSWER_BYTES) {
                break;
            }
            bytes += size;
            waitingBytes -= size;
            frame.addMessages(waiting.remove());
        }
        handedOver += bytes;
        call.onNext(frame.build());
    }
}
