package dev.holdfast.server.operation;

import dev.holdfast.core.Limit;
import dev.holdfast.core.Quota;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import java.util.List;

/** Turns the machine's refusals into rejections: their codes, the request's own field names, a sentence for people. */
public final class Refusals {
    private Refusals() {}

    public static Rejection of(Result.Refused refused, Asked asked) {
        Rejection rejection = withoutBlockers(refused, asked);
        return refused.blockers().isEmpty()
                ? rejection
                : rejection.withBlockers(visible(refused.blockers(), asked.caller()));
    }

    /** For those who tell of blockers in another way, or not at all. */
    public static Rejection withoutBlockers(Result.Refused refused, Asked asked) {
        String subject = subject(refused, asked);
        return Rejection.of(
                code(refused.code()), subject, refused.limit(), refused.actual(), sentence(refused, subject, asked));
    }

    public static Rejected rejected(Result.Refused refused, Asked asked) {
        return of(refused, asked).toException();
    }

    public static ErrorCode code(Refusal refusal) {
        return switch (refusal) {
            case LOCK_ALREADY_HELD -> ErrorCode.LOCK_ALREADY_HELD;
            case TIMEOUT -> ErrorCode.TIMEOUT;
            case DEADLOCK -> ErrorCode.DEADLOCK;
            case LEASE_NOT_FOUND -> ErrorCode.LEASE_NOT_FOUND;
            case LEASE_ENDED -> ErrorCode.LEASE_EXPIRED;
            case LEASE_EXISTS -> ErrorCode.LEASE_EXISTS;
            case NOT_HOLDER -> ErrorCode.NOT_HOLDER;
            case INVALID_ARGUMENT -> ErrorCode.INVALID_ARGUMENT;
            case QUOTA_EXCEEDED -> ErrorCode.QUOTA_EXCEEDED;
            case CANCELLED -> ErrorCode.CANCELLED;
            case REQUEST_FORGOTTEN -> ErrorCode.REQUEST_FORGOTTEN;
            case WINDOW_FULL -> ErrorCode.WINDOW_FULL;
            case KIND_MISMATCH -> ErrorCode.KIND_MISMATCH;
            case PARTIAL_OVERLAP -> ErrorCode.PARTIAL_OVERLAP;
            case GRANT_ENDED -> ErrorCode.GRANT_ENDED;
        };
    }

    /** Those in the way, but for those on keys that are none of the caller's business. */
    public static List<Result.Blocker> visible(List<Result.Blocker> blockers, Caller caller) {
        return blockers.stream()
                .filter(blocker -> caller.mayRead(blocker.key()))
                .toList();
    }

    /** Only a field's name is translated: elsewhere the subject is a key, which may be called anything. */
    private static String subject(Result.Refused refused, Asked asked) {
        return switch (refused.code()) {
            case INVALID_ARGUMENT ->
                refused.subject().equals("key") ? asked.keyField() : asked.field(refused.subject());
            case LEASE_NOT_FOUND, LEASE_ENDED, LEASE_EXISTS -> asked.leaseField();
            default -> refused.subject();
        };
    }

    private static String sentence(Result.Refused refused, String subject, Asked asked) {
        long limit = refused.limit();
        long actual = refused.actual();
        return switch (refused.code()) {
            case INVALID_ARGUMENT ->
                limit == 0 && actual == 0
                        ? subject + ": does not go with the rest of this request"
                        : subject + ": " + actual + " is out of bounds, the limit is " + limit;
            case QUOTA_EXCEEDED ->
                subject + ": " + actual + " would be in use" + byWhom(subject, asked.caller()) + ", at most " + limit
                        + " are allowed";
            case LEASE_NOT_FOUND -> subject + ": there is no lease " + hex(asked);
            case LEASE_ENDED -> subject + ": " + lease(asked) + " has ended";
            case LEASE_EXISTS -> subject + ": " + lease(asked) + " exists with other properties";
            case NOT_HOLDER -> "key " + subject + ": this lease does not hold it under this token";
            case DEADLOCK ->
                "key " + subject + ": waiting for it could never end"
                        + (limit == 0 ? "" : "; the first " + limit + " of " + actual + " in the cycle are told");
            case KIND_MISMATCH ->
                "key " + subject + ": in use with capacity " + limit + ", asked for with " + actual + " (0 is none)";
            case PARTIAL_OVERLAP -> "key " + subject + ": the owner already holds or waits for a part of this";
            case GRANT_ENDED -> "key " + subject + ": the grant ended before it could be upgraded";
            case REQUEST_FORGOTTEN -> "seq: " + actual + " is below acked_below, which is " + limit;
            case WINDOW_FULL ->
                subject.equals("seq")
                        ? "seq: runs " + actual + " ahead of acked_below, the limit is " + limit
                        : subject + ": " + actual + (subject.equals(Limit.UNACKNOWLEDGED.name()) ? "" : " bytes of")
                                + " answers" + byWhom(subject, asked.caller())
                                + " would wait to be acknowledged, at most " + limit + " are allowed";
            case LOCK_ALREADY_HELD -> "key " + subject + ": held, or older requests wait for it";
            case TIMEOUT -> "key " + subject + ": waited as long as asked";
            case CANCELLED -> "the request was cancelled";
        };
    }

    /** Whose quota it is, where it is one. */
    private static String byWhom(String limit, Caller caller) {
        for (Quota quota : Quota.values()) {
            if (quota.perPrincipal().name().equals(limit)) {
                return " by " + caller.who();
            }
            if (quota.perTenant().name().equals(limit)) {
                return " by tenant " + caller.who().tenant();
            }
        }
        return "";
    }

    private static String hex(Asked asked) {
        return Long.toHexString(asked.lease());
    }

    /** Over HTTP and WebSocket a lock has a lease, but those who ask do not name it. */
    private static String lease(Asked asked) {
        return asked.lease() == 0 ? "its lease" : "lease " + hex(asked);
    }
}
