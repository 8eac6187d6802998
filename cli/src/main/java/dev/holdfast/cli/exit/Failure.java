package dev.holdfast.cli.exit;

import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code and one line that says what was wrong and what to do. */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    /**
     * A failure.
     *
     * @param code one of {@link ExitCode}
     */
    public Failure(int code, String message) {
        this(code, message, null);
    }

    public Failure(int code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public int code() {
        return code;
    }

    public String line() {
        return String.valueOf(getMessage());
    }
}
