package dev.holdfast.consensus.ratis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log that ends before the newest snapshot: what is left if the power fails after a snapshot was fetched, and before the
 * log that it takes the place of was deleted.
 *
 * <p>The engine would delete all of it but the segment that is open, and then refuse every entry that comes: none of them
 * follows on that segment.
 */
final class SupersededLog {
    private static final Logger LOG = LoggerFactory.getLogger(SupersededLog.class);

    private SupersededLog() {}

    /** Deletes the log in a directory, if all of it is in the snapshot with this index. */
    static void remove(Path directory, long snapshot) throws IOException {
        List<StoredFiles.File> segments = new StoredFiles(directory).segments();
        if (segments.isEmpty() || end(segments.get(segments.size() - 1)) >= snapshot) {
            return;
        }
        LOG.info("{}: deleting a log that ends before the snapshot of entry {}", directory, snapshot);
        // The oldest first: whatever a power cut leaves of it is again a log that ends before the snapshot.
        for (StoredFiles.File segment : segments) {
            Files.delete(segment.path());
        }
        DurableDirectory.flush(directory);
    }

    private static long end(StoredFiles.File last) throws IOException {
        return last.isOpen()
                ? last.firstIndex()
                        + new Segment(Files.readAllBytes(last.path())).scan().entries()
                        - 1
                : last.lastIndex().orElseThrow();
    }
}
