package dev.holdfast.server.request;

import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.ErrorCode;
import java.util.List;

/**
 * Why a request is refused, in the same shape whoever asked and by whichever way; each edge writes it as its clients
 * read it.
 *
 * @param subject the field, limit, key or member it is about
 * @param limit what is allowed, 0 where that has no meaning
 * @param actual what was asked for, 0 where that has no meaning
 * @param message for people: what was wrong and what to do
 * @param blockers who is in the way, as far as the caller may know
 * @param leader client address of the leader, empty if it is not known or this node
 * @param retryAfterMillis when it makes sense to ask again
 * @param unknownOutcome whether the request may have taken effect nevertheless
 */
public record Rejection(
        ErrorCode code,
        String subject,
        long limit,
        long actual,
        String message,
        List<Result.Blocker> blockers,
        String leader,
        long retryAfterMillis,
        boolean unknownOutcome) {

    /** A rejection whose message ends with what to do. */
    public static Rejection of(ErrorCode code, String subject, String sentence) {
        return of(code, subject, 0, 0, sentence);
    }

    /** A rejection about a number. */
    public static Rejection of(ErrorCode code, String subject, long limit, long actual, String sentence) {
        return new Rejection(
                code, subject, limit, actual, sentence + " (" + code.advice() + ")", List.of(), "", 0, false);
    }

    /** The same about a field that the request calls by another name. */
    public Rejection about(String otherSubject) {
        return new Rejection(
                code, otherSubject, limit, actual, message, blockers, leader, retryAfterMillis, unknownOutcome);
    }

    /** The same, with those in the way. */
    public Rejection withBlockers(List<Result.Blocker> visible) {
        return new Rejection(code, subject, limit, actual, message, visible, leader, retryAfterMillis, unknownOutcome);
    }

    /** The same, with when and where to ask again. */
    public Rejection withRetry(long millis, String leaderAddress) {
        return new Rejection(code, subject, limit, actual, message, blockers, leaderAddress, millis, unknownOutcome);
    }

    /** The same, of a request that may have taken effect nevertheless. */
    public Rejection withUnknownOutcome() {
        return new Rejection(code, subject, limit, actual, message, blockers, leader, retryAfterMillis, true);
    }

    /** To be thrown. */
    public Rejected toException() {
        return new Rejected(this);
    }
}
