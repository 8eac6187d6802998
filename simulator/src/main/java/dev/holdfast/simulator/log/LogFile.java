package dev.holdfast.simulator.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries as the node sees them, which are those in its page cache, and as the medium has them. */
final class LogFile {
    private final Medium medium;
    private final Writes<Change> writes;
    private Entries cached = new Entries();
    private Entries onMedium = new Entries();
    private long flushed = -1;

    /** An entry that is written; without one, it and all behind it are cut off. */
    private record Change(long index, @Nullable Stored entry) {}

    /** @param flushes told of each flush */
    LogFile(Medium medium, Runnable flushes) {
        this.medium = medium;
        this.writes = new Writes<>(medium, this::reach, () -> {
            count();
            flushes.run();
        });
    }

    private void reach(Change change) {
        if (change.entry() == null) {
            onMedium.cutFrom(change.index());
        } else {
            onMedium.append(change.index(), change.entry());
        }
    }

    /** Finds how far both agree: what is still to be cut off the medium does not count. */
    private void count() {
        long sure = Math.min(onMedium.lastIndex(), cached.lastIndex());
        for (Change left : writes.waiting()) {
            if (left.entry() == null) {
                sure = Math.min(sure, left.index() - 1);
            }
        }
        flushed = Math.max(sure, cached.baseIndex());
    }

    /** Up to where no loss of power takes anything away. */
    long flushed() {
        return flushed;
    }

    /** For how long the oldest write has been waiting for its flush. */
    long waitingNanos() {
        return writes.waitingNanos();
    }

    long baseIndex() {
        return cached.baseIndex();
    }

    long lastIndex() {
        return cached.lastIndex();
    }

    long termAt(long index) {
        return cached.termAt(index);
    }

    /** Whether an entry is here already, flushed or not. */
    boolean has(long index, long term) {
        return index <= cached.baseIndex() || cached.termAt(index) == term;
    }

    Stored at(long index) {
        return cached.at(index);
    }

    List<Stored> from(long index, int most) {
        return cached.from(index, most);
    }

    void append(Stored entry) {
        long index = cached.lastIndex() + 1;
        cached.append(index, entry);
        writes.add(new Change(index, entry));
    }

    /** Drops an entry and all behind it. */
    void cutFrom(long index) {
        cached.cutFrom(index);
        flushed = Math.min(flushed, index - 1);
        cutOnMedium(index);
    }

    private void cutOnMedium(long index) {
        writes.add(new Change(index, null));
    }

    /** Drops what a snapshot that is flushed has. */
    void keepBehind(long index, long term) {
        onMedium.keepBehind(index, term);
        if (!cached.keepBehind(index, term)) {
            cutOnMedium(index + 1);
        }
        count();
    }

    /**
     * The power fails. Of what was not flushed a beginning may be there: pages reach the medium in any order, and what
     * is behind a hole does not fit what is before it. So a tail that was being cut off may be there in part.
     */
    void losePower() {
        List<Change> lost = writes.lose();
        if (!lost.isEmpty() && lost.get(0).entry() == null) {
            long first = Math.max(lost.get(0).index(), onMedium.baseIndex() + 1);
            if (first <= onMedium.lastIndex()) {
                onMedium.cutFrom(medium.chance().nextLong(first, onMedium.lastIndex() + 2));
            }
        }
        cached = onMedium.copy();
        flushed = cached.lastIndex();
    }
}
