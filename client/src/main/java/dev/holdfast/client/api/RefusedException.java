package dev.holdfast.client.api;

/** The cluster refused the request; the message says what is wrong with it. */
public final class RefusedException extends HoldfastException {
    private final String code;

    public RefusedException(String code, String message) {
        super(code + ": " + message);
        this.code = code;
    }

    /** A name of the error table, such as {@code QUOTA_EXCEEDED}. */
    public String code() {
        return code;
    }
}
