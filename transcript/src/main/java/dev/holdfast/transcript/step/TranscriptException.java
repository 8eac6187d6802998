package dev.holdfast.transcript.step;

/** A transcript that cannot be played: what is wrong, and on which line. */
public final class TranscriptException extends RuntimeException {
    private final int line;

    /** Wrong in a line whose number is not known here. */
    public TranscriptException(String message) {
        this(0, message);
    }

    public TranscriptException(int line, String message) {
        super(message);
        this.line = line;
    }

    /** From 1; 0 if not known. */
    public int line() {
        return line;
    }

    /** The same, with the line it happened on. */
    public TranscriptException atLine(int number) {
        return line == 0 ? new TranscriptException(number, "line " + number + ": " + getMessage()) : this;
    }
}
