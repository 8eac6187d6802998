package dev.holdfast.server.grpc;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Blocker;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.request.Rejection;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rejections as errors of the protocol. */
public final class GrpcErrors {
    private GrpcErrors() {}

    /**
     * A message has more bytes than are read.
     *
     * @param actual 0 if nobody has counted
     */
    public static Error tooLarge(int most, long actual) {
        return error(Rejection.of(
                ErrorCode.QUOTA_EXCEEDED,
                "message",
                most,
                actual,
                "message: is too large, the limit is " + most + " bytes"));
    }

    /** What ends a call. */
    public static StatusRuntimeException exception(Rejection rejection) {
        return Errors.toException(error(rejection));
    }

    /** What ends a call that failed in whatever way. */
    static StatusRuntimeException exception(Failures failures, Throwable failure) {
        return exception(failures.rejection(failure));
    }

    /** The same as a whole answer, for a call that no gRPC service has seen: what a node says that has none yet. */
    public static HttpResponse response(Rejection rejection, MediaType type) {
        StatusRuntimeException failed = exception(rejection);
        return HttpResponse.of(ResponseHeaders.builder(HttpStatus.OK)
                .contentType(type)
                .addInt("grpc-status", failed.getStatus().getCode().value())
                .add("grpc-message", printable(failed.getStatus().getDescription()))
                .add(
                        Errors.TRAILER_NAME,
                        Base64.getEncoder()
                                .withoutPadding()
                                .encodeToString(error(rejection).toByteArray()))
                .build());
    }

    /** As gRPC wants messages in a header: everything else is written as percent signs and digits. */
    private static String printable(@Nullable String message) {
        StringBuilder written = new StringBuilder();
        for (byte one : String.valueOf(message).getBytes(StandardCharsets.UTF_8)) {
            if (one >= ' ' && one <= '~' && one != '%') {
                written.append((char) one);
            } else {
                written.append(String.format("%%%02X", one & 0xff));
            }
        }
        return written.toString();
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
