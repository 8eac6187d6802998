package dev.holdfast.client.api;

/**
 * The cluster could not be reached or had no quorum for as long as the client retried; the message says what is
 * missing.
 */
public final class UnavailableException extends HoldfastException {
    public UnavailableException(String message) {
        super(message);
    }
}
