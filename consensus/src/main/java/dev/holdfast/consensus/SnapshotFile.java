package dev.holdfast.consensus;

import java.nio.file.Path;

/** A snapshot on disk: the state after the entry at {@code index}. */
public record SnapshotFile(long term, long index, Path path) {}
