package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import io.grpc.Status;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Reads the errors of failed calls. */
final class Failing {
    private Failing() {}

    /** The error of a call that must fail, after its status, message and code were found to agree. */
    static Error error(Code code, ThrowingCallable call) {
        Throwable failure = catchThrowable(call);
        assertThat(failure).as("the call must fail").isNotNull();
        return error(code, failure);
    }

    static Error error(Code code, Throwable failure) {
        Error error = Errors.of(failure).orElseThrow(() -> new AssertionError("no error in the trailer", failure));
        assertThat(error.getCode()).as(error.toString()).isEqualTo(code);
        assertThat(Status.fromThrowable(failure).getCode())
                .isEqualTo(ErrorCode.of(code).grpc());
        assertThat(error.getMessage()).contains(ErrorCode.of(code).advice());
        return error;
    }
}
