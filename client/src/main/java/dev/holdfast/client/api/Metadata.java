package dev.holdfast.client.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What a holder says about its grant: bytes that mean something to those who share the lock. Immutable. */
public final class Metadata {
    /** No metadata. */
    public static final Metadata NONE = new Metadata(new byte[0]);

    private final byte[] bytes;

    private Metadata(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Metadata of(byte[] bytes) {
        return bytes.length == 0 ? NONE : new Metadata(bytes.clone());
    }

    /** Text, as UTF-8. */
    public static Metadata of(String text) {
        return text.isEmpty() ? NONE : new Metadata(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A copy. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The bytes read as UTF-8. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    public boolean isEmpty() {
        return bytes.length == 0;
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
        return text();
    }
}
