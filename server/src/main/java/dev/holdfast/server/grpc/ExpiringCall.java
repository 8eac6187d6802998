package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.request.Rejection;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * A stream that ends with the credentials it was opened by: its handler learns of it as if the client had left, and
 * what it still says is nothing. Confined to the event loop of the call.
 */
final class ExpiringCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private boolean closed;
    private boolean expired;

    private ExpiringCall(ServerCall<Q, R> call) {
        super(call);
    }

    static <Q, R> ServerCall.Listener<Q> start(
            ServerCall<Q, R> call,
            Metadata headers,
            ServerCallHandler<Q, R> next,
            ServiceRequestContext context,
            Caller caller) {
        ExpiringCall<Q, R> expiring = new ExpiringCall<>(call);
        ServerCall.Listener<Q> handler = next.startCall(expiring, headers);
        Runnable noLongerExpiring =
                caller.atExpiry(context.eventLoop().withoutContext(), rejection -> expiring.expire(handler, rejection));
        return new SimpleForwardingServerCallListener<>(handler) {
            @Override
            public void onMessage(Q message) {
                if (!expiring.closed) {
                    super.onMessage(message);
                }
            }

            @Override
            public void onHalfClose() {
                if (!expiring.closed) {
                    super.onHalfClose();
                }
            }

            @Override
            public void onCancel() {
                noLongerExpiring.run();
                if (!expiring.expired) {
                    super.onCancel();
                }
            }

            @Override
            public void onComplete() {
                noLongerExpiring.run();
                super.onComplete();
            }
        };
    }

    private void expire(ServerCall.Listener<Q> handler, Rejection rejection) {
        if (!closed) {
            expired = true;
            StatusRuntimeException end = GrpcErrors.exception(rejection);
            Metadata trailers = end.getTrailers();
            close(end.getStatus(), trailers == null ? new Metadata() : trailers);
            handler.onCancel();
        }
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
