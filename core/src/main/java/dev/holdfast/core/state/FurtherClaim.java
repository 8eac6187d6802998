package dev.holdfast.core.state;

import dev.holdfast.core.Kind;

/** Any claim of a request but its first. */
final class FurtherClaim extends Claim {
    private final Request request;

    FurtherClaim(Request request, Lock lock, Kind kind, boolean exclusive) {
        super(lock, kind, exclusive);
        this.request = request;
    }

    @Override
    public Request request() {
        return request;
    }
}
