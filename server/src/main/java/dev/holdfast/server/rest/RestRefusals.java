package dev.holdfast.server.rest;

import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import java.util.Map;

/** What the machine refuses, in the words of REST: leases do not appear there. */
final class RestRefusals {
    /** The machine's own names of fields, and what the same field is called in a request. */
    private static final Map<String, String> FIELDS = Map.of(
            "ttlMillis", "ttl",
            "waitMillis", "timeout",
            "maxHoldMillis", "maxHold",
            "lockDelayMillis", "lockDelay",
            "additionalMillis", "additionalTtl",
            "items", "resources",
            "count", "permits");

    private RestRefusals() {}

    /** How a request names things. */
    static Asked asked(Caller caller) {
        return new Asked(LockName.FIELD, 0, AcquireRequest.RESOURCE, FIELDS, caller);
    }

    static Rejected grantEnded(String what) {
        return rejected(ErrorCode.GRANT_ENDED, LockName.FIELD, what);
    }

    static Rejected expired() {
        return rejected(ErrorCode.LEASE_EXPIRED, LockName.FIELD, "this lock has expired");
    }

    /** The same for a wrong secret and for one of another lock: what is wrong with it is nobody's business. */
    static Rejected notHolder() {
        return rejected(ErrorCode.NOT_HOLDER, ReleaseAndRenew.LOCK_TOKEN, "this is not the lock token of this lock");
    }

    static Rejected keyReused() {
        return rejected(
                ErrorCode.IDEMPOTENCY_KEY_REUSED,
                Acquiring.IDEMPOTENCY_KEY,
                "this key was used for another request before");
    }

    private static Rejected rejected(ErrorCode code, String subject, String what) {
        return Rejection.of(code, subject, subject + ": " + what).toException();
    }
}
