package dev.holdfast.server.access;

import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;

/** Why a caller does not get through. */
final class Denials {
    private Denials() {}

    /** Nobody known calls. */
    static Rejected unknown(String why) {
        return Rejection.of(ErrorCode.UNAUTHENTICATED, "authorization", why).toException();
    }

    /** What is not allowed is said in the caller's own words: it tells nothing about what is there. */
    static Rejected denied(String subject, String what) {
        return Rejection.of(ErrorCode.PERMISSION_DENIED, subject, what).toException();
    }

    /** The credentials of a stream have expired: not a refusal for good, for one with newer ones is welcome. */
    static Rejected expired() {
        return Rejection.of(
                        ErrorCode.UNAVAILABLE,
                        "authorization",
                        "the token of this stream has expired; connect again with a new one")
                .toException();
    }
}
