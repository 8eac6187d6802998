package dev.holdfast.simulator.log;

import java.util.ArrayList;
import java.util.List;

/** The entries behind a snapshot, by their index. */
final class Entries {
    private final List<Stored> entries = new ArrayList<>();
    private long baseIndex = -1;
    private long baseTerm;

    /** The same entries, to be changed apart. */
    Entries copy() {
        Entries copy = new Entries();
        copy.entries.addAll(entries);
        copy.baseIndex = baseIndex;
        copy.baseTerm = baseTerm;
        return copy;
    }

    /** The index of what is gone because a snapshot has it. */
    long baseIndex() {
        return baseIndex;
    }

    long lastIndex() {
        return baseIndex + entries.size();
    }

    /** The term of an entry that is here or was the snapshot's last; -1 of any other. */
    long termAt(long index) {
        if (index == baseIndex) {
            return baseTerm;
        }
        return index > baseIndex && index <= lastIndex() ? at(index).term() : -1;
    }

    Stored at(long index) {
        return entries.get(place(index));
    }

    private int place(long index) {
        return (int) (index - baseIndex - 1);
    }

    List<Stored> from(long index, int most) {
        int first = place(index);
        return List.copyOf(entries.subList(first, Math.min(entries.size(), first + most)));
    }

    /** Appends an entry. Of two with one index, without a cut between them, the first is read; behind a hole none is. */
    void append(long index, Stored entry) {
        if (index == lastIndex() + 1) {
            entries.add(entry);
        }
    }

    /** Drops an entry and all behind it. */
    void cutFrom(long index) {
        if (index <= lastIndex()) {
            entries.subList(Math.max(0, place(index)), entries.size()).clear();
        }
    }

    /**
     * Drops what a snapshot has.
     *
     * @return whether what is behind it could stay: not if this is another log, or one that ends before it
     */
    boolean keepBehind(long index, long term) {
        boolean same = termAt(index) == term;
        if (same) {
            entries.subList(0, (int) (index - baseIndex)).clear();
        } else {
            entries.clear();
        }
        baseIndex = index;
        baseTerm = term;
        return same;
    }
}
