package dev.holdfast.guard.grpc;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.FencingGuard;
import dev.holdfast.guard.http.Refusal;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/** Passes on what arrives in a call, inside the guard where a handler acts on it. */
final class GuardedListener<Q> extends SimpleForwardingServerCallListener<Q> {
    private static final String LEFT_OPEN = "a call that another thread answers has left its fencing guard before it is"
            + " handled: answer it before the handler returns, or enter the guard where the work is done";

    private final FencingGuard guard;
    private final Access access;
    private final WatchedCall<Q, ?> call;
    private boolean refused;

    /** The call was handled and did not succeed: a numbered write may come again. */
    private static final class Failed extends Exception {
        Failed() {
            super(null, null, false, false);
        }
    }

    GuardedListener(FencingGuard guard, Access access, WatchedCall<Q, ?> call, ServerCall.Listener<Q> next) {
        super(next);
        this.guard = guard;
        this.access = access;
        this.call = call;
    }

    /** The one message of a unary call is kept for its end; those of a stream are handled one by one. */
    @Override
    public void onMessage(Q message) {
        if (sendsOneMessage()) {
            super.onMessage(message);
        } else {
            inside(() -> super.onMessage(message));
        }
    }

    @Override
    public void onHalfClose() {
        inside(super::onHalfClose);
    }

    private void inside(Runnable handler) {
        if (refused) {
            return;
        }
        boolean[] begun = {false};
        try {
            guard.enter(access, entry -> {
                begun[0] = true;
                Context.current().withValue(FencingMetadata.ENTRY, entry).run(handler);
                requireHandled();
                return entry;
            });
        } catch (Failed e) {
            // Answered all the same; only its number does not count.
        } catch (RuntimeException e) {
            // What fails inside is not the guard's no, whatever it looks like.
            if (begun[0] || Refusal.of(e).isEmpty()) {
                throw e;
            }
            refused = true;
            refuse(call, e);
        }
    }

    /** A handler of one message has ended its call when it returns; of a stream, nobody can tell. */
    private void requireHandled() throws Failed {
        if (!sendsOneMessage()) {
            return;
        }
        if (call.end().isEmpty()) {
            call.close(Status.INTERNAL.withDescription(LEFT_OPEN), new Metadata());
        }
        if (!call.end().map(Status::isOk).orElse(false)) {
            throw new Failed();
        }
    }

    private boolean sendsOneMessage() {
        return call.getMethodDescriptor().getType().clientSendsOneMessage();
    }

    static void refuse(ServerCall<?, ?> call, RuntimeException failure) {
        Refusal refusal = Refusal.of(failure).orElseThrow(() -> failure);
        Metadata trailers = new Metadata();
        trailers.put(FencingMetadata.REFUSAL, refusal.json());
        call.close(status(refusal).withDescription(refusal.code() + ": " + refusal.message()), trailers);
    }

    private static Status status(Refusal refusal) {
        return switch (refusal.status()) {
            case 412 -> Status.FAILED_PRECONDITION;
            case 400 -> Status.INVALID_ARGUMENT;
            case 429 -> Status.RESOURCE_EXHAUSTED;
            default -> Status.UNAVAILABLE;
        };
    }
}
