package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Reads a file of the log, and judges what it cannot read.
 *
 * <p>Torn is a record that a crash explains: the file ends within it, or one of its sectors was never
 * written. Everything else is damage, and so is a tear with a record behind it: that one was begun after the
 * torn one had been flushed.
 */
final class SegmentReader implements AutoCloseable {
    private static final int CHUNK_BYTES = 128 * RecordFormat.SECTOR;

    private final Path path;
    private final FileChannel channel;
    private final long size;
    private long offset;

    SegmentReader(Path path) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
        this.size = channel.size();
    }

    /** What comes next in the file. */
    sealed interface Step {
        /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
        Kind kind();

        /** Every kind of step. */
        enum Kind {
            WHOLE,
            END,
            TORN,
            DAMAGED
        }

        record Whole(LogRecord record) implements Step {
            @Override
            public Kind kind() {
                return Kind.WHOLE;
            }
        }

        record End() implements Step {
            @Override
            public Kind kind() {
                return Kind.END;
            }
        }

        record Torn(String why) implements Step {
            @Override
            public Kind kind() {
                return Kind.TORN;
            }
        }

        /** Something that was acknowledged is gone. */
        record Damaged(String why) implements Step {
            @Override
            public Kind kind() {
                return Kind.DAMAGED;
            }
        }
    }

    /** Where the next step begins: behind the last whole record. */
    long offset() {
        return offset;
    }

    Step next() throws IOException {
        ByteBuffer sector = read(offset, RecordFormat.SECTOR);
        Optional<RecordFormat.Header> header = RecordFormat.header(sector);
        return header.isPresent() ? body(header.get()) : headless(sector);
    }

    /** The refusal of what stands at {@link #offset}. */
    LogException damage(String why) {
        return new LogException(path + " is damaged at offset " + offset + ": " + why
                + ". Entries that were acknowledged may be lost with it, so this node does not start:"
                + " restore the whole directory from a backup");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private Step body(RecordFormat.Header header) throws IOException {
        long end = offset + header.recordBytes();
        ByteBuffer bytes = read(offset, (int) Math.min(header.recordBytes(), size - offset));
        if (end > size) {
            return new Step.Torn("the file ends within the record");
        }
        Optional<LogRecord> record = RecordFormat.decode(header, bytes);
        if (record.isPresent()) {
            offset = end;
            return new Step.Whole(record.get());
        }
        int blank = RecordFormat.blankSectors(bytes) - header.blankSectors();
        if (blank <= 0) {
            return new Step.Damaged("the record's checksum is wrong, and a torn write does not explain it");
        }
        return behind(end).damage().orElse(new Step.Torn(blank + " sectors of the record were never written"));
    }

    private Step headless(ByteBuffer sector) throws IOException {
        boolean blank = RecordFormat.blankSectors(sector) == 1;
        if (!blank && sector.limit() >= RecordFormat.HEADER_BYTES) {
            return new Step.Damaged("the record's header is wrong, and a torn write does not explain it");
        }
        if (!blank) {
            return sector.limit() == 0 ? new Step.End() : new Step.Torn("the file ends within the record's header");
        }
        Behind behind = behind(offset + RecordFormat.SECTOR);
        return behind.damage()
                .orElse(
                        behind.onlyZeros()
                                ? new Step.End()
                                : new Step.Torn("the record's first sector was never written"));
    }

    /** What lies behind a place where sectors are blank: a record there means damage. */
    private record Behind(boolean onlyZeros, Optional<Step> damage) {}

    private Behind behind(long from) throws IOException {
        boolean onlyZeros = true;
        for (long chunkAt = from; chunkAt < size; chunkAt += CHUNK_BYTES) {
            ByteBuffer chunk = read(chunkAt, CHUNK_BYTES);
            for (int at = 0; at < chunk.limit(); at += RecordFormat.SECTOR) {
                ByteBuffer sector = chunk.slice(at, Math.min(RecordFormat.SECTOR, chunk.limit() - at));
                if (RecordFormat.header(sector).isPresent()) {
                    String why = "sectors are blank, but a record follows at " + (chunkAt + at);
                    return new Behind(false, Optional.of(new Step.Damaged(why)));
                }
                onlyZeros &= RecordFormat.blankSectors(sector) == 1;
            }
        }
        return new Behind(onlyZeros, Optional.empty());
    }

    /** Bytes of the file; fewer where it ends. */
    private ByteBuffer read(long from, int bytes) throws IOException {
        return Bytes.read(channel, from, (int) Math.max(0, Math.min(bytes, size - from)));
    }
}
