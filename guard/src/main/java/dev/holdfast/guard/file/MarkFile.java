package dev.holdfast.guard.file;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.InvalidAccessException;
import dev.holdfast.guard.Marks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The marks of one key in a file of two records, while nobody else has them.
 *
 * <p>Records are written in turn, so one that is torn by a crash leaves the one before. The file has its full size from
 * the beginning: writing a mark needs no room on the disk.
 */
final class MarkFile {
    static final int RECORD_BYTES = 4_096;
    static final int RECORDS = 2;

    private final Path path;
    private final FileChannel channel;
    private MarkRecord current;

    private MarkFile(Path path, FileChannel channel, MarkRecord current) {
        this.path = path;
        this.channel = channel;
        this.current = current;
    }

    /** Opens it, and creates it if necessary; to be called by whoever has the {@link FileTurn}. */
    static MarkFile open(Path path, FileChannel channel, String key) throws IOException {
        if (channel.size() < (long) RECORDS * RECORD_BYTES) {
            // New, or its making was interrupted: nobody can have entered yet.
            MarkFile file = new MarkFile(path, channel, MarkRecord.first(key));
            // In this order: a file of full size has a first record.
            file.write(0, file.current.bytes());
            file.write(1, file.current.bytes());
            Directories.sync(path);
            return file;
        }
        MarkRecord newest = IntStream.range(0, RECORDS)
                .mapToObj(slot -> read(path, channel, slot))
                .flatMap(Optional::stream)
                .max(Comparator.comparingLong(MarkRecord::generation))
                .orElseThrow(() -> new DamagedMarksException(path));
        return new MarkFile(path, channel, newest);
    }

    String key() {
        return current.key();
    }

    Marks marks() {
        return current.marks();
    }

    Pending pending() {
        return current.pending();
    }

    /** Refuses an access that is meant for something else. */
    void check(Access access) {
        if (!access.key().equals(current.key())) {
            throw new InvalidAccessException(
                    "key", path + " is guarded by '" + current.key() + "', this is for '" + access.key() + "'");
        }
    }

    /** Writes what is new, and returns when it is on the disk. */
    void keep(Marks marks, Pending pending) throws IOException {
        if (marks.equals(current.marks()) && pending.equals(current.pending())) {
            return;
        }
        MarkRecord next = current.next(marks, pending);
        byte[] bytes = next.bytes();
        if (bytes.length > RECORD_BYTES) {
            throw new IOException(path + ": marks of " + bytes.length + " bytes; there is room for " + RECORD_BYTES);
        }
        write((int) (next.generation() % RECORDS), bytes);
        current = next;
    }

    private void write(int slot, byte[] bytes) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES).put(bytes).clear();
        try {
            for (long at = (long) slot * RECORD_BYTES; record.hasRemaining(); ) {
                at += channel.write(record, at);
            }
            channel.force(true);
        } catch (IOException e) {
            throw new IOException(path + ": the mark could not be written, so nobody is let in: " + e.getMessage(), e);
        }
    }

    private static Optional<MarkRecord> read(Path path, FileChannel channel, int slot) {
        ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
        try {
            for (long at = (long) slot * RECORD_BYTES; record.hasRemaining(); ) {
                int read = channel.read(record, at);
                if (read < 0) {
                    return Optional.empty();
                }
                at += read;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(path + " cannot be read: " + e.getMessage(), e);
        }
        return MarkRecord.of(record.array());
    }
}
