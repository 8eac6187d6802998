package dev.holdfast.guard.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call that remembers how its handler ended it. */
final class WatchedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private volatile @Nullable Status end;

    WatchedCall(ServerCall<Q, A> call) {
        super(call);
    }

    @Override
    public void close(Status status, Metadata trailers) {
        end = status;
        super.close(status, trailers);
    }

    /** Empty while it goes on. */
    Optional<Status> end() {
        return Optional.ofNullable(end);
    }
}
