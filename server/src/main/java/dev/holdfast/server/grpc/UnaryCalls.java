package dev.holdfast.server.grpc;

import dev.holdfast.server.access.Caller;
import dev.holdfast.server.metrics.NodeMetrics;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.request.Rejected;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Answers calls that have one answer.
 *
 * <p>The answer is written on the event loop of the call, not by the thread that happens to know it: that is mostly
 * the one that applies entries, and all others wait for it.
 */
final class UnaryCalls {
    private final Failures failures;
    private final CallScopes scopes;
    private final NodeMetrics metrics;

    UnaryCalls(Failures failures, CallScopes scopes, NodeMetrics metrics) {
        this.failures = failures;
        this.scopes = scopes;
        this.metrics = metrics;
    }

    /** One call, while it is open. */
    static final class Call {
        private final Caller caller;
        private Runnable left = () -> {};

        private Call(Caller caller) {
            this.caller = caller;
        }

        Caller caller() {
            return caller;
        }

        /** What to do if the client does not wait for the answer. */
        void whenLeft(Runnable action) {
            left = action;
        }

        private void left() {
            left.run();
        }
    }

    /** What a call does: starts at once, and says later how to write the answer. */
    interface Work<R> {
        CompletableFuture<Supplier<R>> start(Call call);
    }

    <R> void answer(StreamObserver<R> out, Work<R> work) {
        CallScopes.Scope scope = scopes.current();
        Optional<Runnable> timed = metrics.trace(scope.traceparent());
        Call call = new Call(scope.caller());
        // With a handler, answering a call that was cancelled is silently nothing.
        ((ServerCallStreamObserver<R>) out).setOnCancelHandler(call::left);
        CompletableFuture<Supplier<R>> started;
        try {
            started = work.start(call);
        } catch (Rejected rejected) {
            refuse(out, scope, rejected, timed);
            return;
        }
        CompletableFuture<?> answered = started.handleAsync(
                (answer, failure) -> {
                    if (failure != null) {
                        refuse(out, scope, failure, timed);
                    } else {
                        complete(out, answer);
                        timed.ifPresent(Runnable::run);
                    }
                    return true;
                },
                scope.loop());
        if (answered.isCompletedExceptionally()) {
            out.onError(GrpcErrors.exception(failures, new IllegalStateException("the event loop takes no more work")));
        }
    }

    private <R> void refuse(
            StreamObserver<R> out, CallScopes.Scope scope, Throwable failure, Optional<Runnable> timed) {
        long wait = Failures.isRefusal(failure) ? scope.caller().refused() : 0;
        GateInterceptor.later(wait, scope.loop(), () -> {
            out.onError(GrpcErrors.exception(failures, failure));
            timed.ifPresent(Runnable::run);
        });
    }

    private <R> void complete(StreamObserver<R> out, Supplier<R> answer) {
        R response;
        try {
            response = answer.get();
        } catch (RuntimeException failure) {
            out.onError(GrpcErrors.exception(failures, failure));
            return;
        }
        out.onNext(response);
        out.onCompleted();
    }
}
