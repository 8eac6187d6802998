package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.Member;
import java.nio.file.Path;

/**
 * Where a single node keeps its log, and how much of it.
 *
 * @param directory created if absent; used by one process at a time
 * @param snapshotAfterBytes how much log to write before a snapshot takes its place
 * @param segmentBytes how large a file of the log grows before the next one is begun
 */
public record DiskSettings(Member self, Path directory, long snapshotAfterBytes, long segmentBytes) {
    /** Bounds, about, what a start has to replay. */
    public static final long SNAPSHOT_AFTER_BYTES = 64L << 20;

    public static final long SEGMENT_BYTES = 8L << 20;

    public DiskSettings {
        if (snapshotAfterBytes < 1) {
            throw new IllegalArgumentException("snapshotAfterBytes: must be at least 1, was " + snapshotAfterBytes);
        }
        if (segmentBytes < RecordFormat.SECTOR) {
            throw new IllegalArgumentException(
                    "segmentBytes: must be at least " + RecordFormat.SECTOR + ", was " + segmentBytes);
        }
        directory = directory.toAbsolutePath().normalize();
    }

    public DiskSettings(Member self, Path directory) {
        this(self, directory, SNAPSHOT_AFTER_BYTES, SEGMENT_BYTES);
    }
}
