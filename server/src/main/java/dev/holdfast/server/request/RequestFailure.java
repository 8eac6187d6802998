package dev.holdfast.server.request;

import java.time.Duration;

/** A request got no answer from the machine. */
public final class RequestFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final boolean unknownOutcome;

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

    private RequestFailure(Reason reason, boolean unknownOutcome, String message) {
        super(message, null, false, false); // an answer, not a defect: nobody reads its stack
        this.reason = reason;
        this.unknownOutcome = unknownOutcome;
    }

    /** The request surely has no effect. */
    public static RequestFailure notDone(Reason reason, String message) {
        return new RequestFailure(reason, false, message);
    }

    /** The request may yet take effect, or has. */
    public static RequestFailure unknown(Reason reason, String message) {
        return new RequestFailure(reason, true, message);
    }

    public Reason reason() {
        return reason;
    }

    public boolean unknownOutcome() {
        return unknownOutcome;
    }

    /** When it makes sense to ask again. */
    public Duration retryAfter() {
        return reason == Reason.OVERLOADED ? Duration.ofMillis(50) : Duration.ofMillis(200);
    }
}
