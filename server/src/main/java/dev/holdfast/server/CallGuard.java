package dev.holdfast.server;

import com.google.protobuf.MessageLite;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Error;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.channel.EventLoop;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends calls that no transport ends: in a process a message is handed over as an object, so nobody has measured it, and
 * no connection breaks when the node has failed.
 *
 * <p>Confined to the event loop that the server of these calls runs on.
 */
final class CallGuard {
    private final EventLoop loop;
    private final Set<Guarded<?, ?>> open = new HashSet<>();
    private @Nullable StatusRuntimeException failure;

    CallGuard(EventLoop loop) {
        this.loop = loop;
    }

    /** Refuses messages above a number of bytes. */
    ServerInterceptor bounded(int mostBytes) {
        return new ServerInterceptor() {
            @Override
            public <Q, R> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                Guarded<Q, R> guarded = new Guarded<>(call);
                StatusRuntimeException failed = failure;
                if (failed != null) {
                    guarded.close(failed.getStatus(), trailers(failed));
                    return new ServerCall.Listener<>() {};
                }
                return guarded.listener(next.startCall(guarded, headers), mostBytes);
            }
        };
    }

    /** Ends all calls with this error, from now on each as it comes. From any thread. */
    void fail(Error error) {
        loop.execute(() -> {
            StatusRuntimeException failed = Errors.toException(error);
            failure = failed;
            Set.copyOf(open).forEach(call -> call.shut(failed.getStatus(), trailers(failed)));
        });
    }

    private static Metadata trailers(StatusRuntimeException failed) {
        Metadata trailers = failed.getTrailers();
        return trailers == null ? new Metadata() : trailers;
    }

    /** A call that can be shut: its handler learns of it as if the client had left, and what it still says is nothing. */
    private final class Guarded<Q, R> extends SimpleForwardingServerCall<Q, R> {
        /** Operators are answered by other threads too. */
        private volatile boolean closed;

        private ServerCall.@Nullable Listener<Q> handler;

        Guarded(ServerCall<Q, R> call) {
            super(call);
        }

        ServerCall.Listener<Q> listener(ServerCall.Listener<Q> started, int mostBytes) {
            handler = started;
            if (!closed) {
                open.add(this);
            }
            return new GuardedListener<>(this, started, mostBytes);
        }

        void shut(Status status, Metadata trailers) {
            open.remove(this);
            if (!closed) {
                close(status, trailers);
                if (handler != null) {
                    handler.onCancel();
                }
            }
        }

        void ended() {
            open.remove(this);
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

    /** Hands on what arrives while the call is open. */
    private static final class GuardedListener<Q>
            extends ForwardingServerCallListener.SimpleForwardingServerCallListener<Q> {
        private final CallGuard.Guarded<Q, ?> call;
        private final int mostBytes;

        GuardedListener(CallGuard.Guarded<Q, ?> call, ServerCall.Listener<Q> handler, int mostBytes) {
            super(handler);
            this.call = call;
            this.mostBytes = mostBytes;
        }

        @Override
        public void onMessage(Q message) {
            int bytes = message instanceof MessageLite lite ? lite.getSerializedSize() : 0;
            if (bytes > mostBytes) {
                call.shut(
                        Status.RESOURCE_EXHAUSTED.withDescription(
                                "a message of " + bytes + " bytes is above the limit of " + mostBytes),
                        new Metadata());
            } else if (!call.closed) {
                super.onMessage(message);
            }
        }

        @Override
        public void onHalfClose() {
            if (!call.closed) {
                super.onHalfClose();
            }
        }

        @Override
        public void onCancel() {
            call.ended();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            call.ended();
            super.onComplete();
        }
    }
}
