package dev.holdfast.consensus.stored;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A snapshot on disk.
 *
 * @param damage what is wrong with it
 */
public record StoredSnapshot(Path file, long bytes, long term, long index, Optional<String> damage) {}
