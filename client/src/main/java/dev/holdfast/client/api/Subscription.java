package dev.holdfast.client.api;

/** A listener that is called back until this is closed. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
    /** No call begins afterwards; one that runs goes on. */
    @Override
    void close();
}
