package dev.holdfast.protocol;

import dev.holdfast.protocol.v1.Code;
import io.grpc.Status;
import java.util.EnumMap;
import java.util.Map;

/**
 * What each error code is in gRPC and in HTTP, and what the caller should do: one table for every edge.
 *
 * <p>{@code LOCK_ALREADY_HELD}, {@code TIMEOUT} and {@code CANCELLED} are no failures of a gRPC call: they are
 * answers with {@code acquired = false}.
 */
public final class ErrorTable {
    private static final Map<Code, Row> ROWS = new EnumMap<>(Code.class);

    static {
        row(Code.LOCK_ALREADY_HELD, Status.Code.OK, 409, "try again later, or wait for it");
        row(Code.TIMEOUT, Status.Code.OK, 409, "it was waited for as long as asked; ask again to wait longer");
        row(Code.CANCELLED, Status.Code.OK, 409, "the request was cancelled; ask anew, with a new request id");
        row(Code.DEADLOCK, Status.Code.ABORTED, 409, "release what you hold, then retry");
        row(Code.LEASE_NOT_FOUND, Status.Code.NOT_FOUND, 410, "the session is gone: stop the work it protected");
        row(Code.LEASE_EXPIRED, Status.Code.NOT_FOUND, 410, "the session has ended: stop the work it protected");
        row(Code.LEASE_EXISTS, Status.Code.ALREADY_EXISTS, 409, "choose another, random lease id");
        row(
                Code.NOT_HOLDER,
                Status.Code.FAILED_PRECONDITION,
                403,
                "this grant is not yours; use the token of your own");
        row(Code.STALE_TOKEN, Status.Code.FAILED_PRECONDITION, 412, "a newer holder has been here: stop the work");
        row(
                Code.KIND_MISMATCH,
                Status.Code.FAILED_PRECONDITION,
                409,
                "use the key as it is in use, or wait until it is not");
        row(
                Code.PARTIAL_OVERLAP,
                Status.Code.FAILED_PRECONDITION,
                409,
                "release first what the owner holds or awaits of this set");
        row(Code.GRANT_ENDED, Status.Code.FAILED_PRECONDITION, 409, "the grant has ended; acquire anew");
        row(
                Code.REQUEST_FORGOTTEN,
                Status.Code.FAILED_PRECONDITION,
                409,
                "its answer was acknowledged; use a new request id");
        row(Code.INVALID_ARGUMENT, Status.Code.INVALID_ARGUMENT, 400, "correct the named field");
        row(Code.UNAUTHENTICATED, Status.Code.UNAUTHENTICATED, 401, "present valid credentials");
        row(Code.PERMISSION_DENIED, Status.Code.PERMISSION_DENIED, 403, "ask for the permission");
        row(Code.RATE_LIMITED, Status.Code.RESOURCE_EXHAUSTED, 429, "slow down and retry after the time given");
        row(Code.QUOTA_EXCEEDED, Status.Code.RESOURCE_EXHAUSTED, 429, "stay within the named limit, or have it raised");
        row(
                Code.WINDOW_FULL,
                Status.Code.RESOURCE_EXHAUSTED,
                429,
                "acknowledge answers, then send the same request again");
        row(Code.NO_LEADER, Status.Code.UNAVAILABLE, 503, "retry with the same request id");
        row(Code.UNAVAILABLE, Status.Code.UNAVAILABLE, 503, "retry with the same request id");
        row(Code.COMPACTED, Status.Code.OUT_OF_RANGE, 410, "list anew, then watch from the revision of the list");
        row(
                Code.WRONG_CLUSTER,
                Status.Code.FAILED_PRECONDITION,
                409,
                "check the addresses: they lead to another cluster");
        row(
                Code.IDEMPOTENCY_KEY_REUSED,
                Status.Code.ALREADY_EXISTS,
                422,
                "use a new key for each request, and repeat the same request with the same key");
        row(Code.NOT_FOUND, Status.Code.NOT_FOUND, 404, "check the name");
    }

    /** One code's meaning at the edges. */
    public record Row(Code code, Status.Code grpc, int http, String advice) {}

    private ErrorTable() {}

    /** The row of a code; a code that this version does not know is an internal error of the other side. */
    public static Row of(Code code) {
        Row row = ROWS.get(code);
        return row == null ? new Row(code, Status.Code.INTERNAL, 500, "report this: an error without a meaning") : row;
    }

    private static void row(Code code, Status.Code grpc, int http, String advice) {
        ROWS.put(code, new Row(code, grpc, http, advice));
    }
}
