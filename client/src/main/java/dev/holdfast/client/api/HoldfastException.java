package dev.holdfast.client.api;

import org.jspecify.annotations.Nullable;

/** Something asked of the cluster did not come about. The subclasses are named by what the caller should do. */
public class HoldfastException extends RuntimeException {
    public HoldfastException(String message) {
        super(message);
    }

    public HoldfastException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
