package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.SnapshotFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a directory's snapshot and log into the replica, once, at start.
 *
 * <p>What a crash left behind the last record is removed. Every file then ends with a whole record, and is
 * never written again.
 */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final Path directory;
    private final FileOpener files;
    private final DiskSnapshots snapshots;
    private final Replica replica;
    private final long highestTerm;
    private final long snapshotTerm;
    private final long snapshotIndex;
    private long lastTerm;
    private long lastIndex;
    private long replayedBytes;

    /** @param highestTerm the term of the last start: no entry can have a higher one */
    Recovery(Path directory, FileOpener files, DiskSnapshots snapshots, Replica replica, long highestTerm) {
        this.directory = directory;
        this.files = files;
        this.snapshots = snapshots;
        this.replica = replica;
        this.highestTerm = highestTerm;
        this.snapshotTerm = snapshots.newest().map(SnapshotFile::term).orElse(0L);
        this.snapshotIndex = snapshots.newest().map(SnapshotFile::index).orElse(0L);
    }

    void run() throws IOException {
        if (snapshots.newest().isPresent()) {
            snapshots.load(replica);
        }
        SegmentFile.deleteCovered(directory, snapshotIndex);
        List<SegmentFile> segments = SegmentFile.list(directory);
        if (segments.isEmpty()) {
            lastIndex = snapshotIndex;
        } else {
            lastIndex = Math.min(snapshotIndex, segments.get(0).firstIndex() - 1);
        }
        for (int i = 0; i < segments.size(); i++) {
            replay(segments.get(i), i == segments.size() - 1);
        }
        if (lastIndex < snapshotIndex) {
            throw new LogException("the log in " + directory + " ends at index " + lastIndex
                    + ", before the snapshot at " + snapshotIndex + ": restore the whole directory from a backup");
        }
        lastTerm = Math.max(lastTerm, snapshotTerm);
        if (lastTerm > highestTerm) {
            throw new LogException(directory.resolve("term") + " says " + highestTerm
                    + ", but there are entries of term " + lastTerm + ": restore the whole directory from a backup");
        }
    }

    long lastIndex() {
        return lastIndex;
    }

    /** How much log was replayed on top of the snapshot. */
    long replayedBytes() {
        return replayedBytes;
    }

    private void replay(SegmentFile segment, boolean newest) throws IOException {
        if (segment.firstIndex() != lastIndex + 1) {
            throw new LogException(segment.path() + " should begin at index " + (lastIndex + 1)
                    + ": a file of the log is missing; restore the whole directory from a backup");
        }
        try (SegmentReader reader = new SegmentReader(segment.path())) {
            long lastRecord = 0;
            long offset = 0;
            SegmentReader.Step step = reader.next();
            while (step instanceof SegmentReader.Step.Whole whole) {
                check(whole.record(), offset, segment);
                apply(whole.record());
                lastRecord = offset;
                offset = reader.offset();
                step = reader.next();
            }
            switch (step.kind()) {
                case WHOLE, END -> {}
                case TORN -> torn(reader, segment, ((SegmentReader.Step.Torn) step).why(), newest);
                case DAMAGED -> throw reader.damage(((SegmentReader.Step.Damaged) step).why());
            }
            replayedBytes += offset;
            if (newest) {
                settle(segment.path(), lastRecord, offset);
            }
        }
    }

    private static void torn(SegmentReader reader, SegmentFile segment, String why, boolean newest) {
        if (!newest) {
            throw reader.damage(why + ", but a later file of the log follows");
        }
        LOG.warn(
                "{}: cut off at offset {}: {}. It was being written when this node stopped, and was"
                        + " never acknowledged",
                segment.path(),
                reader.offset(),
                why);
    }

    private void check(LogRecord record, long offset, SegmentFile segment) {
        long leastTerm = record.firstIndex() > snapshotIndex ? Math.max(lastTerm, snapshotTerm) : lastTerm;
        if (record.firstIndex() != lastIndex + 1 || record.term() < leastTerm) {
            throw new LogException(segment.path() + " at offset " + offset + " has term " + record.term() + " index "
                    + record.firstIndex() + ", after term " + leastTerm + " index " + lastIndex
                    + ": restore the whole directory from a backup");
        }
    }

    private void apply(LogRecord record) {
        long index = record.firstIndex();
        for (byte[] entry : record.entries()) {
            if (index > snapshotIndex) {
                apply(record.term(), index, entry);
            }
            index++;
        }
        lastTerm = record.term();
        lastIndex = record.lastIndex();
    }

    private void apply(long term, long index, byte[] entry) {
        try {
            replica.apply(term, index, entry);
        } catch (RuntimeException e) {
            throw new LogException("the entry at index " + index + " could not be applied: " + e, e);
        }
    }

    /**
     * Ends the newest file with its last record, or removes it if there is none.
     *
     * <p>The last record is written again. If its flush failed, the system may still show it to us and
     * believe that it is on disk; flushing alone would then do nothing.
     */
    private void settle(Path path, long lastRecord, long end) throws IOException {
        if (end == 0) {
            Files.delete(path);
            Directories.sync(directory);
            return;
        }
        try (FileChannel channel = files.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.truncate(end);
            ByteBuffer record = Bytes.read(channel, lastRecord, (int) (end - lastRecord));
            Bytes.write(channel, record, lastRecord);
            channel.force(true);
        }
    }
}
