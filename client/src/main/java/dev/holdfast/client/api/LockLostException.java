package dev.holdfast.client.api;

/** The grant is no longer valid, or not for long enough: stop the work that it protects. */
public final class LockLostException extends HoldfastException {
    public LockLostException(String message) {
        super(message);
    }
}
