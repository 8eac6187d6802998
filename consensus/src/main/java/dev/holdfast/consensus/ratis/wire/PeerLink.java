package dev.holdfast.consensus.ratis.wire;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.netty.NettyProtos.RaftNettyServerReplyProto;
import org.apache.ratis.proto.netty.NettyProtos.RaftNettyServerRequestProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to another member, to ask it things.
 *
 * <p>Whoever asks writes; one thread reads the answers and completes the futures, so what depends on one runs there.
 * Once anything fails the connection is over, and all that is unanswered with it.
 */
final class PeerLink implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
    /**
     * The socket takes this much without waiting for the other end, if nothing else is on its way there: what must not
     * wait writes no more.
     */
    static final int WRITTEN_AT_ONCE = 64 * 1024;

    private static final int READ_BUFFER = 16 * 1024;

    private final Socket carrier;
    private final OutputStream out;
    private final AtomicLong calls = new AtomicLong();
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private record Waiting(long since, CompletableFuture<RaftNettyServerReplyProto> reply) {}

    PeerLink(PeerSockets.Opened opened, String name) throws IOException {
        this.carrier = opened.carrier();
        this.out = opened.socket().getOutputStream();
        DataInputStream in =
                new DataInputStream(new BufferedInputStream(opened.socket().getInputStream(), READ_BUFFER));
        Thread reader = new Thread(() -> read(in), name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Asks from the calling thread, which waits for room in the connection but not for the answer. */
    CompletableFuture<RaftNettyServerReplyProto> ask(RaftNettyServerRequestProto request) {
        long call = calls.incrementAndGet();
        byte[] frame;
        try {
            frame = Frame.of(call, request);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<RaftNettyServerReplyProto> reply = new CompletableFuture<>();
        waiting.put(call, new Waiting(System.nanoTime(), reply));
        try {
            synchronized (out) {
                out.write(frame);
                out.flush();
            }
        } catch (IOException e) {
            end(e);
        }
        if (closed) {
            // Perhaps it ended before this call was among those it failed.
            end(new SocketException("the connection was closed"));
        }
        return reply;
    }

    private void read(DataInputStream in) {
        try {
            while (true) {
                Frame frame = Frame.read(in);
                RaftNettyServerReplyProto reply = RaftNettyServerReplyProto.parseFrom(frame.body());
                Waiting asked = waiting.remove(frame.call());
                if (asked == null) {
                    throw new IOException("an answer to nothing that was asked");
                }
                if (reply.hasExceptionReply()) {
                    asked.reply.completeExceptionally(new IOException(
                            reply.getExceptionReply().getException().toStringUtf8()));
                } else {
                    asked.reply.complete(reply);
                }
            }
        } catch (IOException | RuntimeException e) {
            end(e);
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends the connection if a call has been unanswered for too long, also one that still waits to be written. */
    void endIfOlder(long nanos) {
        long now = System.nanoTime();
        if (waiting.values().stream().anyMatch(asked -> now - asked.since > nanos)) {
            end(new SocketException("no answer in time"));
        }
    }

    private void end(Exception why) {
        closed = true;
        // Before the reader finds the socket closed, and takes that for the reason.
        waiting.keySet().forEach(call -> {
            Waiting asked = waiting.remove(call);
            if (asked != null) {
                asked.reply.completeExceptionally(why);
            }
        });
        try {
            carrier.close();
        } catch (IOException e) {
            LOG.debug("closing a connection: {}", e.toString());
        }
    }

    @Override
    public void close() {
        end(new SocketException("the connection was closed"));
    }
}
