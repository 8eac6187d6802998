package dev.holdfast.core.codec;

/** Bytes that are not what they should be: damaged, cut off, or of a version this code does not know. */
public final class CodecException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CodecException(String message) {
        super(message);
    }

    public CodecException(String message, Throwable cause) {
        super(message, cause);
    }
}
