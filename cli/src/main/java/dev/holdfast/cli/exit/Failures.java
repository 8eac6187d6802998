package dev.holdfast.cli.exit;

import dev.holdfast.client.api.DeadlockException;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.LockTimeoutException;
import dev.holdfast.client.api.RefusedException;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;

/** The one place where what went wrong becomes an exit code. */
public final class Failures {
    private static final String ADVICE_DENIED =
            " (set HOLDFAST_AUTH_TOKEN or --auth-token-file, or ask for the permission)";
    private static final String ADVICE_UNAVAILABLE =
            " (check --endpoints or HOLDFAST_ENDPOINTS, and that the nodes run; 'holdfast dev' starts some here)";

    private Failures() {}

    /** What a command ends with that threw this. */
    public static Failure of(Throwable thrown) {
        if (thrown instanceof Failure failure) {
            return failure;
        }
        String message = String.valueOf(thrown.getMessage());
        if (thrown instanceof LockTimeoutException) {
            return new Failure(ExitCode.NOT_ACQUIRED, message, thrown);
        }
        if (thrown instanceof DeadlockException deadlock) {
            return new Failure(ExitCode.NOT_ACQUIRED, message + ": " + String.join(", ", deadlock.cycle()), thrown);
        }
        if (thrown instanceof LockLostException) {
            return new Failure(ExitCode.LOST, message, thrown);
        }
        if (thrown instanceof UnavailableException) {
            return new Failure(ExitCode.UNAVAILABLE, message + ADVICE_UNAVAILABLE, thrown);
        }
        if (thrown instanceof RefusedException refused) {
            int code = code(refused.code());
            return new Failure(code, code == ExitCode.DENIED ? message + ADVICE_DENIED : message, thrown);
        }
        if (thrown instanceof StatusRuntimeException failed) {
            return of(failed);
        }
        if (thrown instanceof IllegalArgumentException) {
            return new Failure(ExitCode.USAGE, message, thrown);
        }
        if (thrown instanceof InterruptedException) {
            return new Failure(ExitCode.NOT_ACQUIRED, "interrupted", thrown);
        }
        return new Failure(ExitCode.FAULT, "this is a fault in holdfast, please report it: " + thrown, thrown);
    }

    private static Failure of(StatusRuntimeException failed) {
        Optional<Error> error = Errors.of(failed);
        if (error.isPresent()) {
            return of(new RefusedException(
                    error.get().getCode().name(), error.get().getMessage()));
        }
        Status status = failed.getStatus();
        String said = Errors.line(failed);
        return switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED -> new Failure(ExitCode.DENIED, said + ADVICE_DENIED, failed);
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED ->
                new Failure(ExitCode.UNAVAILABLE, said + ADVICE_UNAVAILABLE, failed);
            case UNIMPLEMENTED ->
                new Failure(
                        ExitCode.UNAVAILABLE,
                        said + " (is this the client port of a Holdfast node of this version?)",
                        failed);
            default -> new Failure(ExitCode.FAULT, said, failed);
        };
    }

    /** By the names of the error table; a name this version does not know is a fault of somebody. */
    private static int code(String name) {
        Code code;
        try {
            code = Code.valueOf(name);
        } catch (IllegalArgumentException e) {
            return ExitCode.FAULT;
        }
        return switch (code) {
            case LOCK_ALREADY_HELD, TIMEOUT, DEADLOCK, CANCELLED, QUOTA_EXCEEDED, RATE_LIMITED, WINDOW_FULL ->
                ExitCode.NOT_ACQUIRED;
            case LEASE_NOT_FOUND, LEASE_EXPIRED, GRANT_ENDED, NOT_HOLDER, STALE_TOKEN -> ExitCode.LOST;
            case INVALID_ARGUMENT, KIND_MISMATCH, PARTIAL_OVERLAP -> ExitCode.USAGE;
            case UNAUTHENTICATED, PERMISSION_DENIED -> ExitCode.DENIED;
            case NO_LEADER, UNAVAILABLE, WRONG_CLUSTER -> ExitCode.UNAVAILABLE;
            case NOT_FOUND, COMPACTED -> ExitCode.DIFFERENT;
            default -> ExitCode.FAULT;
        };
    }
}
