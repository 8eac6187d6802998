package dev.holdfast.consensus;

import org.jspecify.annotations.Nullable;

/** The log refused or failed; the message says why and what to do. */
public final class LogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    public LogException(String message) {
        this(message, null);
    }
}
