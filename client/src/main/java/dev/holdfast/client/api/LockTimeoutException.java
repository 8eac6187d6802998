package dev.holdfast.client.api;

/** The lock could not be had within the time that was given. */
public final class LockTimeoutException extends HoldfastException {
    public LockTimeoutException(String message) {
        super(message);
    }
}
