package dev.holdfast.core.codec;

import dev.holdfast.core.LockKey;
import java.nio.charset.StandardCharsets;

/** Reads what {@link ByteWriter} wrote, and trusts none of it. */
public final class ByteReader {
    private static final byte[] NO_BYTES = {};

    private final byte[] bytes;
    private final int end;
    private int at;

    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    public ByteReader(byte[] bytes, int from, int length) {
        this.bytes = bytes;
        this.at = from;
        this.end = from + length;
    }

    public boolean hasMore() {
        return at < end;
    }

    public void expectEnd() {
        if (at != end) {
            throw new CodecException((end - at) + " bytes too many");
        }
    }

    public int getByte(String field) {
        need(1, field);
        return bytes[at++] & 0xFF;
    }

    public boolean getBoolean(String field) {
        int value = getByte(field);
        if (value > 1) {
            throw new CodecException(field + ": neither true nor false: " + value);
        }
        return value == 1;
    }

    public long getUnsigned(String field) {
        long value = getVarint(field);
        if (value < 0) {
            throw new CodecException(field + ": out of range");
        }
        return value;
    }

    /** A number from 0 to {@code most}. */
    public int getCount(String field, int most) {
        long value = getUnsigned(field);
        if (value > most) {
            throw new CodecException(field + ": " + value + " is above " + most);
        }
        return (int) value;
    }

    public long getSigned(String field) {
        long value = getVarint(field);
        return (value >>> 1) ^ -(value & 1);
    }

    public int getSignedInt(String field) {
        long value = getSigned(field);
        if (value != (int) value) {
            throw new CodecException(field + ": " + value + " is out of range");
        }
        return (int) value;
    }

    public long getFixed(String field) {
        need(Long.BYTES, field);
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = (value << Byte.SIZE) | (bytes[at++] & 0xFF);
        }
        return value;
    }

    public int getFixedInt(String field) {
        need(Integer.BYTES, field);
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = (value << Byte.SIZE) | (bytes[at++] & 0xFF);
        }
        return value;
    }

    public byte[] getBytes(String field, int most) {
        int length = getCount(field, most);
        if (length == 0) {
            return NO_BYTES;
        }
        need(length, field);
        byte[] value = new byte[length];
        for (int from = 0; from < length; from += ByteWriter.PIECE) {
            if (from > 0 && getByte(field) != ByteWriter.MARKER) {
                throw new CodecException(field + ": damaged");
            }
            int piece = Math.min(ByteWriter.PIECE, length - from);
            need(piece, field);
            System.arraycopy(bytes, at, value, from, piece);
            at += piece;
        }
        return value;
    }

    public String getString(String field, int most) {
        byte[] utf8 = getBytes(field, most);
        return utf8.length == 0 ? "" : new String(utf8, StandardCharsets.UTF_8);
    }

    public LockKey getKey(String field) {
        byte[] utf8 = getBytes(field, CodecBounds.KEY_BYTES);
        if (utf8.length == 0) {
            throw new CodecException(field + ": empty");
        }
        return LockKey.ofUtf8(utf8);
    }

    /** A key, or, where nothing is written for it, that one. */
    public LockKey getKeyOr(String field, LockKey known) {
        byte[] utf8 = getBytes(field, CodecBounds.KEY_BYTES);
        return utf8.length == 0 ? known : LockKey.ofUtf8(utf8);
    }

    private long getVarint(String field) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = getByte(field);
            if (shift == 63 && next > 1) {
                break;
            }
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new CodecException(field + ": a number of more than 64 bits");
    }

    private void need(int count, String field) {
        if (end - at < count) {
            throw new CodecException(field + ": cut off");
        }
    }
}
