package dev.holdfast.core.snapshot;

import dev.holdfast.core.codec.ByteReader;
import dev.holdfast.core.codec.ByteWriter;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** The outer form of a snapshot: frames of a length, records, and a checksum. */
final class Frames {
    static final int MAGIC = 0x48464C4D;
    static final int VERSION = 3;

    static final int HEADER = 1;
    static final int TOMBSTONE = 2;
    static final int EVENT = 3;
    static final int LEASE = 4;
    static final int LOCK = 5;

    /** Somebody who holds or awaits the lock before it, which is the first of its keys. */
    static final int REQUEST = 6;

    static final int END = 7;

    /** Longer than any frame the writer makes. The longest record is a lease with all the answers it may remember. */
    static final int LONGEST = (1 << 30) + (1 << 24);

    static final int OVERHEAD = 2 * Integer.BYTES;

    private Frames() {}

    static byte[] wrap(byte[] payload) {
        ByteWriter frame = new ByteWriter(payload.length + OVERHEAD);
        frame.putFixedInt(payload.length);
        frame.putRaw(payload);
        frame.putFixedInt(checksum(payload, 0, payload.length));
        return frame.toByteArray();
    }

    static int intAt(byte[] bytes, int at) {
        return new ByteReader(bytes, at, Integer.BYTES).getFixedInt("frame");
    }

    static int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /** Two independent checksums of everything, as one number. */
    static final class Digest {
        private final CRC32C left = new CRC32C();
        private final CRC32 right = new CRC32();

        void add(byte[] payload) {
            left.update(payload);
            right.update(payload);
        }

        long value() {
            return left.getValue() << Integer.SIZE | right.getValue();
        }
    }
}
