package dev.holdfast.server.edge;

import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.server.request.Reach;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.RequestFailure;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns whatever went wrong into an error that a client can act on. */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private final Reach reach;

    public Failures(Reach reach) {
        this.reach = reach;
    }

    public StatusRuntimeException exception(Throwable failure) {
        return Errors.toException(error(failure));
    }

    public Error error(Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        if (cause instanceof Rejected rejected) {
            return rejected.error();
        } else if (cause instanceof RequestFailure unanswered) {
            return error(unanswered);
        }
        LOG.error("a request failed in a way that nobody foresaw; please report this", cause);
        return Refusals.error(Code.UNAVAILABLE, "", 0, 0, "internal error: " + cause)
                .setUnknownOutcome(true)
                .build();
    }

    private Error error(RequestFailure failure) {
        String message = String.valueOf(failure.getMessage());
        Error.Builder error = switch (failure.reason()) {
            case NO_LEADER -> Refusals.error(Code.NO_LEADER, "leader", 0, 0, message);
            case NO_QUORUM -> Refusals.error(Code.UNAVAILABLE, "quorum", 0, 0, message);
            case STOPPING -> Refusals.error(Code.UNAVAILABLE, "node", 0, 0, message);
            case INVALID -> Refusals.error(Code.INVALID_ARGUMENT, "request", 0, 0, message);
            case OVERLOADED -> Refusals.error(Code.QUOTA_EXCEEDED, "queue", 0, 0, message);
        };
        return error.setUnknownOutcome(failure.unknownOutcome())
                .setRetryAfterMs(failure.retryAfter().toMillis())
                .setLeader(reach.leaderAddress().orElse(""))
                .build();
    }
}
