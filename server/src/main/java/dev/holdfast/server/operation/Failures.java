package dev.holdfast.server.operation;

import dev.holdfast.consensus.LogException;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.fair.Excess;
import dev.holdfast.server.request.Reach;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.request.RequestFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns whatever went wrong into a rejection that a client can act on. */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private final Reach reach;
    private final Consumer<Throwable> unexpected;

    /**
     * What went wrong at a node.
     *
     * @param unexpected told of what is not an answer
     */
    public Failures(Reach reach, Consumer<Throwable> unexpected) {
        this.reach = reach;
        this.unexpected = unexpected;
    }

    /**
     * Asks the log for something that it may refuse or fail to do.
     *
     * @param what what it is asked for, as a rejection names it
     */
    public static <T> CompletableFuture<T> ofLog(String what, Supplier<CompletableFuture<T>> action) {
        return CompletableFuture.completedFuture(true)
                .thenCompose(now -> action.get())
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        cause(failure) instanceof LogException log ? ofLog(what, log) : failure));
    }

    private static Rejected ofLog(String what, LogException failure) {
        return Rejection.of(
                        failure.isRefused() ? ErrorCode.FAILED_PRECONDITION : ErrorCode.UNAVAILABLE,
                        what,
                        what + ": " + failure.getMessage())
                .toException();
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }

    /** Whether this was refused here, without being put into the log. */
    public static boolean isRefusal(Throwable failure) {
        Throwable cause = cause(failure);
        return cause instanceof Rejected
                || (cause instanceof RequestFailure unanswered
                        && unanswered.reason() == RequestFailure.Reason.OVERLOADED
                        && !unanswered.unknownOutcome());
    }

    public Rejection rejection(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof Rejected rejected) {
            return rejected.rejection();
        } else if (cause instanceof RequestFailure unanswered) {
            return rejection(unanswered);
        }
        unexpected.accept(cause);
        LOG.error("a request failed unexpectedly; please report this", cause);
        return Rejection.of(ErrorCode.UNAVAILABLE, "", "internal error: " + cause)
                .withUnknownOutcome();
    }

    private Rejection rejection(RequestFailure failure) {
        String message = String.valueOf(failure.getMessage());
        Rejection rejection = switch (failure.reason()) {
            case NO_LEADER -> Rejection.of(ErrorCode.NO_LEADER, "leader", message);
            case NO_QUORUM -> Rejection.of(ErrorCode.UNAVAILABLE, "quorum", message);
            case STOPPING -> Rejection.of(ErrorCode.UNAVAILABLE, "node", message);
            case INVALID -> Rejection.of(ErrorCode.INVALID_ARGUMENT, "request", message);
            case OVERLOADED -> {
                Excess excess = failure.excess();
                // Who is refused for a limit takes it that nothing was done.
                ErrorCode code = failure.unknownOutcome() ? ErrorCode.UNAVAILABLE : ErrorCode.QUOTA_EXCEEDED;
                yield Rejection.of(code, excess.limit(), excess.most(), excess.actual(), message);
            }
        };
        Rejection retried = rejection.withRetry(
                failure.retryAfter().toMillis(), reach.leaderAddress().orElse(""));
        return failure.unknownOutcome() ? retried.withUnknownOutcome() : retried;
    }
}
