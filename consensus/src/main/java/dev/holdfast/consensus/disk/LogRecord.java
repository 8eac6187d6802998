package dev.holdfast.consensus.disk;

import java.util.List;

/**
 * What is written and flushed in one go: entries with consecutive indexes.
 *
 * <p>A record without entries opens a term. It takes an index of its own, and the replica does not see it.
 */
record LogRecord(long term, long firstIndex, List<byte[]> entries) {

    static LogRecord openingTerm(long term, long index) {
        return new LogRecord(term, index, List.of());
    }

    long lastIndex() {
        return firstIndex + Math.max(1, entries.size()) - 1;
    }
}
