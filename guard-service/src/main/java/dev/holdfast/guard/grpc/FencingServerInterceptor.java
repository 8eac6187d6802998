package dev.holdfast.guard.grpc;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.FencingGuard;
import dev.holdfast.guard.InvalidAccessException;
import dev.holdfast.guard.http.FencingHeader;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/**
 * Lets calls through whose {@link FencingMetadata#ACCESS} a guard accepts, and ends the others: FAILED_PRECONDITION if
 * the token is stale, INVALID_ARGUMENT if it is absent, wrong or of another key; with {@link FencingMetadata#REFUSAL}.
 *
 * <p>A call is inside the guard while its handler runs: the method of a unary call, each message of a stream. What a
 * handler leaves to other threads is not; a call with one message that it leaves unanswered ends with INTERNAL. Entering
 * may wait, so the server needs an executor that may.
 */
public final class FencingServerInterceptor implements ServerInterceptor {
    /** Says which key guards what a call asks for. */
    @FunctionalInterface
    public interface Keys {
        /** Returns the key; empty if the call is not guarded. */
        Optional<String> of(MethodDescriptor<?, ?> method, Metadata headers);
    }

    private final FencingGuard guard;
    private final Keys keys;

    public FencingServerInterceptor(FencingGuard guard, Keys keys) {
        this.guard = guard;
        this.keys = keys;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Optional<String> key = keys.of(call.getMethodDescriptor(), headers);
        if (key.isEmpty()) {
            return next.startCall(call, headers);
        }
        try {
            Access access = FencingHeader.read(headers.get(FencingMetadata.ACCESS), key.get());
            MethodDescriptor.MethodType type = call.getMethodDescriptor().getType();
            if (access.isNumbered() && !type.clientSendsOneMessage()) {
                throw new InvalidAccessException("sequence", "a stream of messages is not one write");
            }
            WatchedCall<Q, A> watched = new WatchedCall<>(call);
            return new GuardedListener<>(guard, access, watched, next.startCall(watched, headers));
        } catch (InvalidAccessException e) {
            GuardedListener.refuse(call, e);
            return new ServerCall.Listener<>() {};
        }
    }
}
