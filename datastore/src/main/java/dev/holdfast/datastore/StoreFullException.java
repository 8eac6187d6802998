package dev.holdfast.datastore;

/** A limit of the store is reached; the message names it. Nothing was written. */
final class StoreFullException extends RuntimeException {
    StoreFullException(String message) {
        super(message);
    }
}
