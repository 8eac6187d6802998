package dev.holdfast.consensus;

import org.jspecify.annotations.Nullable;

/** The log refused or failed; the message says why and what to do. */
public final class LogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean refused;

    private LogException(String message, @Nullable Throwable cause, boolean refused) {
        super(message, cause);
        this.refused = refused;
    }

    public LogException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    public LogException(String message) {
        this(message, null);
    }

    /** What cannot be done as things are: nothing was tried, and trying again does not help until something changes. */
    public static LogException refused(String message) {
        return new LogException(message, null, true);
    }

    /** Whether it was refused; otherwise it was tried and failed, and may succeed another time. */
    public boolean isRefused() {
        return refused;
    }
}
