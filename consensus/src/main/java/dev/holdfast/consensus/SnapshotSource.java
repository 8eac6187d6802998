package dev.holdfast.consensus;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Brings the newest snapshot of another member here. Only full members have one. */
@FunctionalInterface
public interface SnapshotSource {

    /**
     * Copies the member's newest snapshot into a file.
     *
     * @return the snapshot, complete and flushed; empty if the member has none at or above {@code lowestIndex}
     */
    Optional<SnapshotFile> fetch(Member from, long lowestIndex, Path into) throws IOException;
}
