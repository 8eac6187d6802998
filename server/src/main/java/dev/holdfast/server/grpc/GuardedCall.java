package dev.holdfast.server.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A call that can be ended from outside: its handler learns of it as if the client had left, and what it still says is
 * nothing. Ended on the event loop of the call; a handler may answer from other threads too.
 */
public final class GuardedCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private volatile boolean closed;
    private boolean shut;
    private ServerCall.@Nullable Listener<Q> handler;

    public GuardedCall(ServerCall<Q, R> call) {
        super(call);
    }

    /**
     * What the transport tells, as far as the call is open.
     *
     * @param started the handler of this call
     * @param accepts looks at each message before the handler does
     * @param ended told once the call is over, whoever ended it
     */
    public ServerCall.Listener<Q> listener(ServerCall.Listener<Q> started, Predicate<Q> accepts, Runnable ended) {
        handler = started;
        return new SimpleForwardingServerCallListener<>(started) {
            @Override
            public void onMessage(Q message) {
                if (!closed && accepts.test(message)) {
                    super.onMessage(message);
                }
            }

            @Override
            public void onHalfClose() {
                if (!closed) {
                    super.onHalfClose();
                }
            }

            @Override
            public void onCancel() {
                ended.run();
                if (!shut) {
                    super.onCancel();
                }
            }

            @Override
            public void onComplete() {
                ended.run();
                super.onComplete();
            }
        };
    }

    /** Ends the call with this failure, unless it has ended. */
    public void shut(StatusRuntimeException failure) {
        if (!closed) {
            shut = true;
            Metadata trailers = failure.getTrailers();
            close(failure.getStatus(), trailers == null ? new Metadata() : trailers);
            if (handler != null) {
                handler.onCancel();
            }
        }
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public void sendHeaders(Metadata headers) {
        if (!closed) {
            super.sendHeaders(headers);
        }
    }

    @Override
    public void sendMessage(R message) {
        if (!closed) {
            super.sendMessage(message);
        }
    }

    @Override
    public void close(Status status, Metadata trailers) {
        if (!closed) {
            closed = true;
            super.close(status, trailers);
        }
    }

    @Override
    public boolean isReady() {
        return !closed && super.isReady();
    }
}
