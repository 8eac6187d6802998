package dev.holdfast.server.access;

import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.server.request.Rejected;

/** Why a caller does not get through. */
final class Denials {
    private Denials() {}

    /** Nobody known calls. */
    static Rejected unknown(String why) {
        return new Rejected(Errors.of(Code.UNAUTHENTICATED, "authorization", why));
    }

    /** What is not allowed is said in the caller's own words: it tells nothing about what is there. */
    static Rejected denied(String subject, String what) {
        return new Rejected(Errors.of(Code.PERMISSION_DENIED, subject, what));
    }

    /** The credentials of a stream have expired: not a refusal for good, for one with newer ones is welcome. */
    static Rejected expired() {
        return new Rejected(Errors.of(
                Code.UNAVAILABLE,
                "authorization",
                "the token of this stream has expired; connect again with a new one"));
    }
}
