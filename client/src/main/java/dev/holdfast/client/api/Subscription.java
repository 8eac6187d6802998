package dev.holdfast.client.api;

/** A listener that is called back until this is closed. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
    /** No call starts afterwards; one that is running continues. */
    @Override
    void close();
}
