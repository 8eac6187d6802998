package dev.holdfast.client.session;

import dev.holdfast.client.api.DeadlockException;
import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.RefusedException;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.protocol.v1.Blocker;
import dev.holdfast.protocol.v1.Error;

/** Turns a refusal of the cluster into the exception that the caller gets. */
public final class ErrorMapper {
    private ErrorMapper() {}

    public static HoldfastException exception(Error error) {
        String message = error.getMessage();
        return switch (error.getCode()) {
            case DEADLOCK ->
                new DeadlockException(
                        message,
                        error.getBlockersList().stream().map(ErrorMapper::line).toList());
            case NO_LEADER, UNAVAILABLE -> new UnavailableException(error.getCode() + ": " + message);
            case LEASE_NOT_FOUND, LEASE_EXPIRED, GRANT_ENDED, NOT_HOLDER -> new LockLostException(message);
            default -> new RefusedException(error.getCode().name(), message);
        };
    }

    /** Whether the same request may well be carried out later. */
    public static boolean isTemporary(Error error) {
        return switch (error.getCode()) {
            case NO_LEADER, UNAVAILABLE, RATE_LIMITED, WINDOW_FULL -> true;
            // A full queue passes, a quota does not.
            case QUOTA_EXCEEDED -> error.getRetryAfterMs() > 0;
            default -> false;
        };
    }

    /** Whether the lease of the request is what is missing. */
    public static boolean isOfLease(Error error) {
        return switch (error.getCode()) {
            case LEASE_NOT_FOUND, LEASE_EXPIRED -> true;
            default -> false;
        };
    }

    private static String line(Blocker blocker) {
        return blocker.getClientId() + (blocker.getFencingToken() == 0 ? " waits for " : " holds ") + blocker.getKey();
    }
}
