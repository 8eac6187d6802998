package dev.holdfast.cli.inspect;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Which entries are shown: from the one that was named on, or the last ones where none was.
 *
 * <p>Takes any number of them and keeps no more than it shows.
 */
final class EntryRange {
    private final long from;
    private final long to;
    private final int limit;
    private final Deque<ReadEntry> kept = new ArrayDeque<>();
    private long all;
    private long inRange;

    /** @param from -1 for the last ones */
    EntryRange(long from, long to, int limit) {
        this.from = from;
        this.to = to;
        this.limit = limit;
    }

    void add(ReadEntry entry) {
        all++;
        long index = entry.stored().index();
        if (index < from || index > to) {
            return;
        }
        inRange++;
        if (kept.size() < limit) {
            kept.add(entry);
        } else if (from < 0 && limit > 0) {
            kept.removeFirst();
            kept.add(entry);
        }
    }

    List<ReadEntry> shown() {
        return List.copyOf(kept);
    }

    /** How many can be read in all. */
    long all() {
        return all;
    }

    /** How many of those that were asked for are not shown, for there would be too many. */
    long leftOut() {
        return inRange - kept.size();
    }
}
