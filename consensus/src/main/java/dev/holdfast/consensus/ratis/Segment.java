package dev.holdfast.consensus.ratis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The bytes of one of the engine's log segments, read without the engine.
 *
 * <p>A segment is {@code RaftLog1}, then entries, then zeros up to where the file was allocated. An entry is
 * its length as a varint, a protobuf message of that length, and the CRC-32C of both in four bytes. The message
 * is a few numbers followed by one nested message, which ends where the entry does: so the length of an entry
 * is written twice, and a damaged length can be told from a missing end.
 */
final class Segment {
    static final int SECTOR = 512;
    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
    private static final int CHECKSUM = 4;
    private static final int NESTED = 2;
    private static final int NUMBER = 0;

    private final byte[] bytes;
    private final int used;

    Segment(byte[] bytes) {
        this.bytes = bytes;
        this.used = lengthWithoutTrailingZeros(bytes);
    }

    /**
     * How far a segment is sound.
     *
     * @param entries number of sound entries
     * @param end offset behind the last of them
     * @param damage what is wrong there; empty at a proper end
     */
    record Scan(long entries, int end, Optional<Damage> damage) {}

    /**
     * What is wrong at an offset.
     *
     * @param torn whether it is what a write looks like that the power cut short, and nothing else
     */
    record Damage(String what, boolean torn) {}

    /** Told of each sound entry: where it begins, and where its message lies. */
    interface Visitor {
        void entry(int offset, int messageFrom, int messageLength);
    }

    Scan scan() {
        return scan((offset, messageFrom, messageLength) -> {});
    }

    Scan scan(Visitor visitor) {
        if (used == 0) {
            return new Scan(0, 0, Optional.empty());
        }
        if (!startsWithHeader()) {
            boolean torn = unwritten(0);
            return new Scan(0, 0, Optional.of(new Damage("the file header is damaged", torn)));
        }
        long entries = 0;
        int at = HEADER.length;
        while (at < used) {
            Varint length = varint(at, bytes.length);
            Optional<Damage> damage = damage(at, length);
            if (damage.isPresent()) {
                return new Scan(entries, at, damage);
            }
            visitor.entry(at, length.end(), (int) length.value());
            at = length.end() + (int) length.value() + CHECKSUM;
            entries++;
        }
        // Trailing zeros of the last checksum belong to its entry, so the end may lie behind what is in use.
        return new Scan(entries, at, Optional.empty());
    }

    private Optional<Damage> damage(int at, Varint length) {
        if (!length.sound() || length.value() < 1 || length.value() > Integer.MAX_VALUE) {
            boolean cutShort = !length.sound() && length.end() == bytes.length;
            return Optional.of(new Damage("no entry begins here", cutShort || unwritten(at)));
        }
        long end = length.end() + length.value() + CHECKSUM;
        if (end <= bytes.length && checksumFits(at, (int) end - CHECKSUM)) {
            return Optional.empty();
        }
        long gap = firstGap(at, end);
        String what = end > bytes.length ? "an entry ends behind the file" : "an entry does not fit its checksum";
        return Optional.of(new Damage(what, gap >= 0 && lengthHolds(length, gap)));
    }

    /** Where the first sector begins of which nothing from this entry on was written; -1 if there is none. */
    private long firstGap(int at, long end) {
        for (long from = at; from < end; from = nextSector(from)) {
            if (from >= bytes.length || unwritten((int) from)) {
                return from;
            }
        }
        // Cut within a sector: what is missing is missing, though sectors should not come in parts.
        return end > bytes.length ? bytes.length : -1;
    }

    /** Whether all is zero from here to the end of the sector; behind the end of the file nothing was written. */
    private boolean unwritten(int from) {
        long end = Math.min(nextSector(from), bytes.length);
        for (int i = from; i < end; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether the two lengths of an entry agree, as far as they were written before the gap. */
    private boolean lengthHolds(Varint length, long gap) {
        int limit = (int) Math.min(gap, bytes.length);
        if (length.end() > limit) {
            return true;
        }
        long end = length.end() + length.value();
        int at = length.end();
        while (at < limit) {
            Varint tag = varint(at, limit);
            Varint value = tag.sound() ? varint(tag.end(), limit) : tag;
            if (!value.sound()) {
                return value.end() >= limit;
            }
            switch ((int) tag.value() & 7) {
                case NUMBER -> at = value.end();
                case NESTED -> {
                    return value.end() + value.value() == end;
                }
                default -> {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean checksumFits(int from, int end) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, end - from);
        return (int) checksum.getValue() == ByteBuffer.wrap(bytes).getInt(end);
    }

    private boolean startsWithHeader() {
        for (int i = 0; i < HEADER.length; i++) {
            if (i >= bytes.length || bytes[i] != HEADER[i]) {
                return false;
            }
        }
        return true;
    }

    /** A number read at an offset; its end is where reading stopped if it is not sound. */
    private record Varint(long value, int end, boolean sound) {}

    private Varint varint(int at, int limit) {
        long value = 0;
        for (int i = 0; i < 10; i++) {
            if (at + i >= limit) {
                return new Varint(0, limit, false);
            }
            byte b = bytes[at + i];
            value |= (long) (b & 0x7f) << (7 * i);
            if (b >= 0) {
                return new Varint(value, at + i + 1, true);
            }
        }
        return new Varint(0, at, false);
    }

    private static long nextSector(long from) {
        return (from / SECTOR + 1) * SECTOR;
    }

    private static int lengthWithoutTrailingZeros(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length;
    }
}
