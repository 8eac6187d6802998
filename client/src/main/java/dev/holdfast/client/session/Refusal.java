package dev.holdfast.client.session;

import dev.holdfast.client.DeadlockException;
import dev.holdfast.client.HoldfastException;
import dev.holdfast.client.LockLostException;
import dev.holdfast.client.RefusedException;
import dev.holdfast.client.UnavailableException;
import dev.holdfast.protocol.v1.Blocker;
import dev.holdfast.protocol.v1.Error;

/** Turns what the cluster refuses into what the caller gets. */
final class Refusal {
    private Refusal() {}

    static HoldfastException exception(Error error) {
        String message = error.getMessage();
        return switch (error.getCode()) {
            case DEADLOCK ->
                new DeadlockException(
                        message,
                        error.getBlockersList().stream().map(Refusal::line).toList());
            case NO_LEADER, UNAVAILABLE -> new UnavailableException(error.getCode() + ": " + message);
            case LEASE_NOT_FOUND, LEASE_EXPIRED, GRANT_ENDED, NOT_HOLDER -> new LockLostException(message);
            default -> new RefusedException(error.getCode().name(), message);
        };
    }

    /** Whether the lease of the request is what is missing. */
    static boolean isOfLease(Error error) {
        return switch (error.getCode()) {
            case LEASE_NOT_FOUND, LEASE_EXPIRED -> true;
            default -> false;
        };
    }

    private static String line(Blocker blocker) {
        return blocker.getClientId() + (blocker.getFencingToken() == 0 ? " waits for " : " holds ") + blocker.getKey();
    }
}
