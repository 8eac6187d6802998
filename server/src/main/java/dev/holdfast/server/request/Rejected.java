package dev.holdfast.server.request;

import dev.holdfast.protocol.v1.Error;

/** A request is refused with a typed error, at the edge or by the machine. */
public final class Rejected extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Error error;

    public Rejected(Error error) {
        super(error.getMessage(), null, false, false); // an answer, not a defect: nobody reads its stack
        this.error = error;
    }

    public Error error() {
        return error;
    }
}
