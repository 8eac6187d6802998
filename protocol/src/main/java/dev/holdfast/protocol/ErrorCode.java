package dev.holdfast.protocol;

import dev.holdfast.protocol.v1.Code;
import io.grpc.Status;

/**
 * Every way in which a request can be refused: what it is in gRPC and in HTTP, and what the caller should do. One table
 * for every edge.
 *
 * <p>{@code LOCK_ALREADY_HELD}, {@code TIMEOUT} and {@code CANCELLED} do not fail a gRPC call: they are answers with
 * {@code acquired = false}.
 */
public enum ErrorCode {
    LOCK_ALREADY_HELD(Status.Code.OK, 409, "try again later, or wait for it"),
    TIMEOUT(Status.Code.OK, 409, "the wait timed out; ask again to wait longer"),
    CANCELLED(Status.Code.OK, 409, "the request was cancelled; ask again with a new request id"),
    DEADLOCK(Status.Code.ABORTED, 409, "release what you hold, then retry"),
    LEASE_NOT_FOUND(Status.Code.NOT_FOUND, 410, "the session is gone: stop the work it protected"),
    LEASE_EXPIRED(Status.Code.NOT_FOUND, 410, "the session has ended: stop the work it protected"),
    LEASE_EXISTS(Status.Code.ALREADY_EXISTS, 409, "choose another, random lease id"),
    NOT_HOLDER(Status.Code.FAILED_PRECONDITION, 403, "this grant is not yours; use the token of your own"),
    STALE_TOKEN(Status.Code.FAILED_PRECONDITION, 412, "a newer holder has been here: stop the work"),
    KIND_MISMATCH(
            Status.Code.FAILED_PRECONDITION,
            409,
            "use the key with the capacity it has, or wait until it is not " + "in use"),
    PARTIAL_OVERLAP(
            Status.Code.FAILED_PRECONDITION, 409, "first release what the owner holds or waits for of this " + "set"),
    GRANT_ENDED(Status.Code.FAILED_PRECONDITION, 409, "the grant has ended; acquire again"),
    REQUEST_FORGOTTEN(Status.Code.FAILED_PRECONDITION, 409, "its answer was acknowledged; use a new request id"),
    INVALID_ARGUMENT(Status.Code.INVALID_ARGUMENT, 400, "correct the named field"),
    UNAUTHENTICATED(Status.Code.UNAUTHENTICATED, 401, "present valid credentials"),
    PERMISSION_DENIED(Status.Code.PERMISSION_DENIED, 403, "ask for the permission"),
    RATE_LIMITED(Status.Code.RESOURCE_EXHAUSTED, 429, "slow down and retry after the time given"),
    QUOTA_EXCEEDED(Status.Code.RESOURCE_EXHAUSTED, 429, "stay within the named limit, or have it raised"),
    WINDOW_FULL(Status.Code.RESOURCE_EXHAUSTED, 429, "acknowledge answers, then send the same request again"),
    NO_LEADER(Status.Code.UNAVAILABLE, 503, "retry with the same request id"),
    UNAVAILABLE(Status.Code.UNAVAILABLE, 503, "retry with the same request id"),
    COMPACTED(Status.Code.OUT_OF_RANGE, 410, "list again, then watch from the cursor of the list"),
    WRONG_CLUSTER(Status.Code.FAILED_PRECONDITION, 409, "check the addresses: they lead to another cluster"),
    IDEMPOTENCY_KEY_REUSED(
            Status.Code.ALREADY_EXISTS,
            422,
            "use a new key for each request, and repeat the same request with the same key"),
    NOT_FOUND(Status.Code.NOT_FOUND, 404, "check the name"),
    FAILED_PRECONDITION(Status.Code.FAILED_PRECONDITION, 409, "change what stands against it, then ask again"),
    /** A code that this version does not know, sent by another. */
    UNKNOWN(Status.Code.INTERNAL, 500, "report this: an unknown error");

    private final Status.Code grpc;
    private final int http;
    private final String advice;

    ErrorCode(Status.Code grpc, int http, String advice) {
        this.grpc = grpc;
        this.http = http;
        this.advice = advice;
    }

    /** The code of this name on the wire means this. */
    public static ErrorCode of(Code wire) {
        for (ErrorCode code : values()) {
            if (code.name().equals(wire.name())) {
                return code;
            }
        }
        return UNKNOWN;
    }

    /** What it is called on the wire. */
    public Code wire() {
        return this == UNKNOWN ? Code.UNRECOGNIZED : Code.valueOf(name());
    }

    /** The status that a failed gRPC call ends with. */
    public Status.Code grpc() {
        return grpc;
    }

    /** The HTTP status. */
    public int http() {
        return http;
    }

    /** What the caller should do. */
    public String advice() {
        return advice;
    }
}
