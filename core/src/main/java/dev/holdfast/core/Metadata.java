package dev.holdfast.core;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that a user attaches to a request, carried but never read by the machine. */
public final class Metadata {
    public static final Metadata NONE = new Metadata(new byte[0]);

    private final byte[] bytes;

    private Metadata(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes the array over: the caller must not change it afterwards. */
    public static Metadata of(byte[] bytes) {
        return bytes.length == 0 ? NONE : new Metadata(bytes);
    }

    public static Metadata of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The bytes themselves, shared: they must not be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Metadata metadata && Arrays.equals(bytes, metadata.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
