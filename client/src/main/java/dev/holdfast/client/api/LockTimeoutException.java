package dev.holdfast.client.api;

/** The lock could not be acquired within the given time. */
public final class LockTimeoutException extends HoldfastException {
    public LockTimeoutException(String message) {
        super(message);
    }
}
