package dev.holdfast.server.websocket;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketWriter;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * One client's connection: its frames, and who the client is. Confined to its event loop.
 *
 * <pre>
 * unknown --a token in the first message--> known --the token expires--> closed
 *    |  anything else, or nothing in time --> closed
 * </pre>
 *
 * <p>The next message is read when the answers so far are on their way, so a client that does not read cannot make the
 * node keep more for it than the locks it waits for.
 */
final class SocketConnection implements Subscriber<WebSocketFrame> {
    private final SocketEdge.Parts parts;
    private final Login login;
    private final EventLoop loop;
    private final WebSocketWriter out = WebSocket.streaming();
    private final Future<?> loginDeadline;
    private Runnable noLongerExpiring = () -> {};
    private @Nullable SocketLocks locks;
    private @Nullable Subscription in;
    private boolean unread;
    private boolean closed;

    SocketConnection(SocketEdge.Parts parts, Caller caller, Login login, EventLoop loop) {
        this.parts = parts;
        this.login = login;
        this.loop = loop;
        this.loginDeadline =
                loop.schedule(() -> end(Login.tooLate()), SocketEdge.LOGIN_TIME.toMillis(), TimeUnit.MILLISECONDS);
        if (!caller.isUnknown()) {
            open(caller);
        }
        var unused = out.whenComplete().whenCompleteAsync((done, failure) -> gone(), loop);
    }

    WebSocket output() {
        return out;
    }

    private void open(Caller caller) {
        loginDeadline.cancel(false);
        locks = new SocketLocks(parts, caller, loop, this::write, this::readOn);
        noLongerExpiring = caller.atExpiry(loop, this::end);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        in = subscription;
        subscription.request(1);
    }

    @Override
    public void onNext(WebSocketFrame frame) {
        if (closed) {
            return;
        }
        switch (frame.type()) {
            case TEXT -> {
                if (!frame.isFinalFragment()) {
                    end(WebSocketCloseStatus.POLICY_VIOLATION, "send a message in one frame");
                    return;
                }
                handle(frame.array());
            }
            case PING -> out.writePong(frame.array());
            case PONG -> {}
            case CLOSE -> {
                end(WebSocketCloseStatus.NORMAL_CLOSURE, "");
                return;
            }
            default -> {
                end(WebSocketCloseStatus.INVALID_MESSAGE_TYPE, "send text");
                return;
            }
        }
        unread = true;
        readOn();
    }

    private void handle(byte[] message) {
        if (locks != null) {
            locks.handle(message);
            return;
        }
        try {
            open(login.read(message));
            write(Json.object().put("success", true));
        } catch (Rejected refused) {
            end(refused.rejection());
        }
    }

    /** A client that is refused all the time is read from later; one with many unanswered messages, when they are. */
    private void readOn() {
        if (!unread || closed || (locks != null && !locks.takesMore())) {
            return;
        }
        unread = false;
        long pause = locks == null ? 0 : locks.pauseNanos();
        var unused = out.whenConsumed().thenRunAsync(() -> readNext(pause), loop);
    }

    private void readNext(long pauseNanos) {
        if (pauseNanos == 0) {
            readNext();
        } else {
            var unused = loop.schedule(() -> readNext(), pauseNanos, TimeUnit.NANOSECONDS);
        }
    }

    private void readNext() {
        if (in != null && !closed) {
            in.request(1);
        }
    }

    static ObjectNode refusal(Rejection rejection) {
        ObjectNode reply = Json.object().put("success", false);
        reply.setAll(Json.error(rejection));
        return reply;
    }

    private void write(ObjectNode reply) {
        var unused = out.tryWrite(reply.toString());
    }

    /** The client is told why, and the connection ends: for now if it may come back as it is, else for good. */
    private void end(Rejection rejection) {
        if (!closed) {
            write(refusal(rejection));
            end(
                    rejection.code() == ErrorCode.UNAVAILABLE
                            ? WebSocketCloseStatus.TRY_AGAIN_LATER
                            : WebSocketCloseStatus.POLICY_VIOLATION,
                    rejection.code().name());
        }
    }

    private void end(WebSocketCloseStatus status, String reason) {
        out.close(status, reason);
        close();
    }

    @Override
    public void onError(Throwable failure) {
        out.close(failure);
        close();
    }

    @Override
    public void onComplete() {
        out.close();
        close();
    }

    private void close() {
        if (!closed) {
            closed = true;
            loginDeadline.cancel(false);
            noLongerExpiring.run();
            if (locks != null) {
                locks.close();
            }
        }
    }

    /** Not before all is sent: the library sends nothing any more once nobody listens. */
    private void gone() {
        close();
        if (in != null) {
            in.cancel();
        }
    }
}
