package dev.holdfast.consensus.disk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A record as bytes. It begins at a multiple of the sector size and is filled up with zeros to the next one.
 *
 * <pre>
 *  0  int   mark
 *  4  int   checksum of 8 to 35
 *  8  int   bytes of all entries, each with its length
 * 12  int   how many sectors of the record hold nothing but zeros, because the entries do
 * 16  long  term
 * 24  long  index of the first entry
 * 32  int   checksum of 36 to the end of the last sector
 * 36        entries: int length, bytes
 * </pre>
 *
 * <p>All that one flush makes durable is one record, so a crash tears the last record or none: with a record
 * per entry, a torn one could be followed by a whole one of the same write, and look like damage. The header
 * has a checksum of its own, so that a damaged length is not taken for a record that reaches beyond what was
 * written. The number of blank sectors tells those that were never written from those that hold zeros.
 */
final class RecordFormat {
    static final int SECTOR = 512;
    static final int HEADER_BYTES = 36;

    private static final int MARK = 0x48464C31; // HFL1
    private static final int CHECKED_FROM = 8;
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(SECTOR).asReadOnlyBuffer();

    private RecordFormat() {}

    /** What is known of a record from its first sector. */
    record Header(int payloadBytes, int blankSectors, long term, long firstIndex, int bodyChecksum) {
        long recordBytes() {
            return roundUp((long) HEADER_BYTES + payloadBytes, SECTOR);
        }
    }

    static int bytesOf(LogRecord record) {
        return Math.toIntExact(roundUp((long) HEADER_BYTES + payloadBytes(record), SECTOR));
    }

    /** Puts a record into {@code to}, from its position on. */
    static void encode(LogRecord record, ByteBuffer to) {
        ByteBuffer out = to.slice(to.position(), bytesOf(record));
        out.position(HEADER_BYTES);
        for (byte[] entry : record.entries()) {
            out.putInt(entry.length).put(entry);
        }
        while (out.hasRemaining()) {
            out.put((byte) 0);
        }
        out.putInt(0, MARK);
        out.putInt(8, payloadBytes(record));
        out.putLong(16, record.term());
        out.putLong(24, record.firstIndex());
        out.putInt(32, checksum(out, HEADER_BYTES, out.limit()));
        out.putInt(12, blankSectors(out));
        out.putInt(4, checksum(out, CHECKED_FROM, HEADER_BYTES));
        to.position(to.position() + out.limit());
    }

    /** The header at the buffer's beginning, if there is a whole and undamaged one. */
    static Optional<Header> header(ByteBuffer sector) {
        if (sector.limit() < HEADER_BYTES
                || sector.getInt(0) != MARK
                || sector.getInt(4) != checksum(sector, CHECKED_FROM, HEADER_BYTES)) {
            return Optional.empty();
        }
        return Optional.of(new Header(
                sector.getInt(8), sector.getInt(12), sector.getLong(16), sector.getLong(24), sector.getInt(32)));
    }

    /** The record in a buffer that holds all of it; empty if it is damaged. */
    static Optional<LogRecord> decode(Header header, ByteBuffer record) {
        if (checksum(record, HEADER_BYTES, record.limit()) != header.bodyChecksum()) {
            return Optional.empty();
        }
        ByteBuffer in = record.slice(HEADER_BYTES, header.payloadBytes());
        List<byte[]> entries = new ArrayList<>();
        while (in.hasRemaining()) {
            byte[] entry = new byte[in.getInt()];
            in.get(entry);
            entries.add(entry);
        }
        return Optional.of(new LogRecord(header.term(), header.firstIndex(), List.copyOf(entries)));
    }

    /** How many sectors of a buffer hold nothing but zeros; the last one may be cut short. */
    static int blankSectors(ByteBuffer buffer) {
        int blank = 0;
        for (int at = 0; at < buffer.limit(); at += SECTOR) {
            int length = Math.min(SECTOR, buffer.limit() - at);
            if (buffer.slice(at, length).mismatch(ZEROS.slice(0, length)) < 0) {
                blank++;
            }
        }
        return blank;
    }

    static long roundUp(long value, long unit) {
        return (value + unit - 1) / unit * unit;
    }

    private static int payloadBytes(LogRecord record) {
        int bytes = 0;
        for (byte[] entry : record.entries()) {
            bytes = Math.addExact(bytes, Integer.BYTES + entry.length);
        }
        return bytes;
    }

    private static int checksum(ByteBuffer buffer, int from, int to) {
        CRC32C checksum = new CRC32C();
        checksum.update(buffer.slice(from, to - from));
        return (int) checksum.getValue();
    }
}
