package dev.holdfast.client.api;

import org.jspecify.annotations.Nullable;

/** A request to the cluster failed. The subclasses are named by what the caller should do. */
public class HoldfastException extends RuntimeException {
    public HoldfastException(String message) {
        super(message);
    }

    public HoldfastException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
