package dev.holdfast.server.grpc;

import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Blocker;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.request.Rejection;
import io.grpc.StatusRuntimeException;
import java.util.List;

/** Writes rejections as errors of the protocol. */
public final class GrpcErrors {
    private GrpcErrors() {}

    /** What ends a call. */
    public static StatusRuntimeException exception(Rejection rejection) {
        return Errors.toException(error(rejection));
    }

    /** What ends a call that failed in whatever way. */
    static StatusRuntimeException exception(Failures failures, Throwable failure) {
        return exception(failures.rejection(failure));
    }

    static Error error(Rejection rejection) {
        return Error.newBuilder()
                .setCode(rejection.code().wire())
                .setSubject(rejection.subject())
                .setLimit(rejection.limit())
                .setActual(rejection.actual())
                .setMessage(rejection.message())
                .addAllBlockers(blockers(rejection.blockers()))
                .setLeader(rejection.leader())
                .setRetryAfterMs(rejection.retryAfterMillis())
                .setUnknownOutcome(rejection.unknownOutcome())
                .build();
    }

    static List<Blocker> blockers(List<Result.Blocker> blockers) {
        return blockers.stream()
                .map(blocker -> Blocker.newBuilder()
                        .setKey(blocker.key().toString())
                        .setClientId(blocker.clientId())
                        .setFencingToken(blocker.token())
                        .build())
                .toList();
    }
}
