package dev.holdfast.server.request;

import dev.holdfast.server.fair.Excess;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/** A request got no answer from the machine. */
public final class RequestFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final boolean unknownOutcome;
    private final transient Excess excess;

    /** Why there is no answer. */
    public enum Reason {
        /** Nobody leads, or not this node: nothing was done. */
        NO_LEADER,
        /** No majority answered in time. */
        NO_QUORUM,
        /** Too much waits already. */
        OVERLOADED,
        /** A field is larger than an entry can carry. */
        INVALID,
        /** The node is stopping. */
        STOPPING
    }

    private RequestFailure(Reason reason, boolean unknownOutcome, Excess excess) {
        super(excess.message(), null, false, false); // an answer, not a defect: nobody reads its stack
        this.reason = reason;
        this.unknownOutcome = unknownOutcome;
        this.excess = excess;
    }

    /** The request surely has no effect. */
    public static RequestFailure notDone(Reason reason, String message) {
        return new RequestFailure(reason, false, new Excess("", 0, 0, message));
    }

    /** The request surely has no effect: there is no room for it. */
    public static RequestFailure overloaded(Excess excess) {
        return new RequestFailure(Reason.OVERLOADED, false, excess);
    }

    /** The request may yet take effect, or has. */
    public static RequestFailure unknown(Reason reason, String message) {
        return new RequestFailure(reason, true, new Excess("", 0, 0, message));
    }

    /** What went wrong with the rest of a request of which something is done: no longer says that nothing was. */
    public static Throwable afterSomeEffect(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof RequestFailure unanswered
                ? new RequestFailure(unanswered.reason, true, unanswered.excess)
                : cause;
    }

    public Reason reason() {
        return reason;
    }

    public boolean unknownOutcome() {
        return unknownOutcome;
    }

    /** Which limit is reached, if the reason is that one is. */
    public Excess excess() {
        return excess;
    }

    /** When it makes sense to ask again. */
    public Duration retryAfter() {
        return reason == Reason.OVERLOADED ? Duration.ofMillis(50) : Duration.ofMillis(200);
    }
}
