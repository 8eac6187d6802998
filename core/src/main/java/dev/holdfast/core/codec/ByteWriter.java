package dev.holdfast.core.codec;

import dev.holdfast.core.LockKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes values into a growing array.
 *
 * <p>No run of zeros is ever 512 bytes long, whatever a user puts into a field: a log that finds such a
 * run in a damaged entry may take it for a write that never finished, and must be right in that.
 */
public final class ByteWriter {
    /** A long run of bytes is broken by a marker after this many. */
    static final int PIECE = 255;

    static final byte MARKER = 1;

    private byte[] bytes;
    private int size;

    public ByteWriter(int capacity) {
        bytes = new byte[Math.max(16, capacity)];
    }

    public int size() {
        return size;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    public void clear() {
        size = 0;
    }

    public void putByte(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    public void putBoolean(boolean value) {
        putByte(value ? 1 : 0);
    }

    /** A number that is mostly small and never negative. */
    public void putUnsigned(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("must not be negative: " + value);
        }
        putVarint(value);
    }

    /** A number that is mostly small. */
    public void putSigned(long value) {
        putVarint((value << 1) ^ (value >> (Long.SIZE - 1)));
    }

    /** A number that is mostly large, such as a random id. */
    public void putFixed(long value) {
        room(Long.BYTES);
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    public void putFixedInt(int value) {
        room(Integer.BYTES);
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    public void putBytes(byte[] value) {
        putUnsigned(value.length);
        room(value.length + value.length / PIECE);
        for (int from = 0; from < value.length; from += PIECE) {
            if (from > 0) {
                bytes[size++] = MARKER;
            }
            int length = Math.min(PIECE, value.length - from);
            System.arraycopy(value, from, bytes, size, length);
            size += length;
        }
    }

    public void putString(String value) {
        if (value.isEmpty()) {
            putByte(0);
        } else {
            putBytes(value.getBytes(StandardCharsets.UTF_8));
        }
    }

    public void putKey(LockKey key) {
        putBytes(key.utf8());
    }

    /** What another writer has written, as it is. */
    public void putRaw(byte[] written) {
        room(written.length);
        System.arraycopy(written, 0, bytes, size, written.length);
        size += written.length;
    }

    private void putVarint(long value) {
        room(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
