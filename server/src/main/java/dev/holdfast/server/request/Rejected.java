package dev.holdfast.server.request;

import dev.holdfast.protocol.ErrorCode;

/** A request is refused, at the edge or by the machine. */
public final class Rejected extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Rejection rejection;

    public Rejected(Rejection rejection) {
        super(rejection.message(), null, false, false); // an answer, not a defect: nobody reads its stack
        this.rejection = rejection;
    }

    /** A field that the machine never sees, or could not make sense of. */
    public static Rejected invalid(String field, String what) {
        return invalid(field, 0, 0, what);
    }

    /** A field whose number is out of bounds. */
    public static Rejected invalid(String field, long limit, long actual, String what) {
        return Rejection.of(ErrorCode.INVALID_ARGUMENT, field, limit, actual, field + ": " + what)
                .toException();
    }

    /** A limit of this node is reached. */
    public static Rejected quota(String limit, long allowed, long actual) {
        return Rejection.of(
                        ErrorCode.QUOTA_EXCEEDED,
                        limit,
                        allowed,
                        actual,
                        limit + ": " + actual + " asked for, at most " + allowed + " are allowed")
                .toException();
    }

    /** Nobody known calls. */
    public static Rejected unauthenticated(String why) {
        return Rejection.of(ErrorCode.UNAUTHENTICATED, "authorization", why).toException();
    }

    /** The caller may not do this. Said in the caller's own words: it tells nothing about what is there. */
    public static Rejected denied(String subject, String what) {
        return Rejection.of(ErrorCode.PERMISSION_DENIED, subject, what).toException();
    }

    /**
     * The credentials of a stream have expired: not a permanent refusal, because the caller may come back with newer
     * ones.
     */
    public static Rejected expired() {
        return Rejection.of(
                        ErrorCode.UNAVAILABLE,
                        "authorization",
                        "the token of this stream has expired; connect again with a new one")
                .toException();
    }

    public Rejection rejection() {
        return rejection;
    }
}
