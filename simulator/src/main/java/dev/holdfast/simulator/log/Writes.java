package dev.holdfast.simulator.log;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;

/**
 * What was written to one file and is not flushed yet. There is one flush at a time, and it takes along what was written
 * before it began.
 */
final class Writes<W> {
    private final Medium medium;
    private final Consumer<W> reaches;
    private final Runnable flushed;
    private final ArrayDeque<Write<W>> waiting = new ArrayDeque<>();
    private boolean flushing;
    private int losses;

    private record Write<W>(W what, long nanos) {}

    /**
     * A file without writes.
     *
     * @param reaches what a write does once it is flushed, or survives a loss of power by luck
     * @param flushed done after each flush
     */
    Writes(Medium medium, Consumer<W> reaches, Runnable flushed) {
        this.medium = medium;
        this.reaches = reaches;
        this.flushed = flushed;
    }

    void add(W what) {
        waiting.add(new Write<>(what, medium.world().now()));
        flush();
    }

    private void flush() {
        if (flushing || waiting.isEmpty()) {
            return;
        }
        flushing = true;
        int count = waiting.size();
        int before = losses;
        medium.flush(() -> losses == before, () -> {
            flushing = false;
            reach(count);
            flushed.run();
            flush();
        });
    }

    private void reach(int count) {
        for (int i = 0; i < count; i++) {
            reaches.accept(waiting.remove().what());
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    List<W> waiting() {
        return waiting.stream().map(Write::what).toList();
    }

    /** For how long the oldest of them has been waiting, in the world's time. */
    long waitingNanos() {
        Write<W> oldest = waiting.peek();
        return oldest == null ? 0 : medium.world().now() - oldest.nanos();
    }

    /** The power fails. The first of them may have reached the medium, up to any; the others are lost. */
    List<W> lose() {
        boolean none = medium.chance().nextBoolean();
        reach(none ? 0 : medium.chance().nextInt(waiting.size() + 1));
        List<W> lost = waiting();
        drop();
        return lost;
    }

    /** Takes all of them back. */
    void drop() {
        waiting.clear();
        flushing = false;
        losses++;
    }
}
