package dev.holdfast.simulator.log;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What survives the death of a node: term, vote, log and snapshot. Every write is flushed before anything else happens. */
public final class Disk {
    private final List<Stored> entries = new ArrayList<>();
    private long term;
    private @Nullable String vote;
    private long snapshotIndex = -1;
    private long snapshotTerm;
    private byte[] snapshot = new byte[0];

    /**
     * An entry of the log; one without bytes begins a term.
     *
     * @param proposedNanos when, in the world's time
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Stored(long term, byte @Nullable [] bytes, long proposedNanos) {}

    /** Begins with the state of a snapshot that another cluster made. */
    public static Disk restored(byte[] snapshot) {
        Disk disk = new Disk();
        disk.term = 1;
        disk.keep(0, 1, snapshot);
        return disk;
    }

    long term() {
        return term;
    }

    @Nullable
    String vote() {
        return vote;
    }

    void vote(long inTerm, @Nullable String forWhom) {
        term = inTerm;
        vote = forWhom;
    }

    long snapshotIndex() {
        return snapshotIndex;
    }

    long snapshotTerm() {
        return snapshotTerm;
    }

    byte[] snapshot() {
        return snapshot;
    }

    long lastIndex() {
        return snapshotIndex + entries.size();
    }

    /** The term of an entry that is here or was the snapshot's last; -1 of any other. */
    long termAt(long index) {
        if (index == snapshotIndex) {
            return snapshotTerm;
        }
        return index > snapshotIndex && index <= lastIndex() ? at(index).term() : -1;
    }

    Stored at(long index) {
        return entries.get((int) (index - snapshotIndex - 1));
    }

    List<Stored> from(long index, int most) {
        int first = (int) (index - snapshotIndex - 1);
        return List.copyOf(entries.subList(first, Math.min(entries.size(), first + most)));
    }

    void append(Stored entry) {
        entries.add(entry);
    }

    /** Drops an entry and all behind it. */
    void cutFrom(long index) {
        entries.subList((int) (index - snapshotIndex - 1), entries.size()).clear();
    }

    /** Keeps a snapshot in place of the entries up to its index. */
    void keep(long index, long termOfIndex, byte[] bytes) {
        if (index >= lastIndex() || termAt(index) != termOfIndex) {
            entries.clear();
        } else {
            entries.subList(0, (int) (index - snapshotIndex)).clear();
        }
        snapshotIndex = index;
        snapshotTerm = termOfIndex;
        snapshot = bytes;
    }
}
