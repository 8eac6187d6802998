package dev.holdfast.server.watch;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.concurrent.Executor;

/**
 * In which order the streams of one caller are told, and how much of the time.
 *
 * <p>What telling took, and finding out what there is to tell, is a debt, which is paid off by the share of the time that
 * the caller may have; while it is too high, the caller waits, and what it is told then is more at once. Confined to the
 * hub's loop.
 */
final class CallerTurns {
    /** What can be spent at once, by one who was quiet. */
    private static final long BURST_NANOS = 20_000_000;

    /**
     * What is paid off at least before one who waits is told again, for each of its watches, and at most. A turn whenever
     * there is time for just one would touch every request of whoever shares the event loop; of one with very many watches
     * few are touched, and more is told at once.
     */
    private static final long AT_ONCE_NANOS = 1_000;

    private static final long MOST_AT_ONCE_NANOS = 2_000_000;

    /** Who owes more has its events found no longer, either. */
    private static final long MOST_NANOS = 5 * BURST_NANOS;

    /**
     * Likewise who has to wait for so long: finding its events takes about all that it may have, so that nothing is left
     * for telling it.
     */
    private static final long MOST_WAIT_NANOS = 1_000_000_000;

    private static final int WHOLE = 100;

    /** Those who share an event loop are told together: one after the other would be a hand-over for each. */
    private final LinkedHashMap<Executor, ArrayDeque<WatchReader>> waiting = new LinkedHashMap<>();

    private final int percent;
    private long debtNanos;
    private long reckonedNanos;

    /** When it last owed so little that it need not wait. */
    private long solventNanos;

    /** Whether it is told, or waits to be. */
    boolean busy;

    CallerTurns(int percent) {
        this.percent = percent;
    }

    void add(WatchReader reader) {
        waiting.computeIfAbsent(reader.loop(), loop -> new ArrayDeque<>()).add(reader);
    }

    /** Those of one event loop that want to be told, loop by loop; empty if nobody does. */
    ArrayDeque<WatchReader> next() {
        Iterator<ArrayDeque<WatchReader>> loops = waiting.values().iterator();
        if (!loops.hasNext()) {
            return new ArrayDeque<>();
        }
        ArrayDeque<WatchReader> next = loops.next();
        loops.remove();
        return next;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void spend(long nanos) {
        debtNanos += nanos;
    }

    /** How long it takes until what it owes is paid off; 0 if it owes nothing. */
    long paidInNanos(long now) {
        pay(now);
        return (debtNanos + percent - 1) / percent * WHOLE;
    }

    /** How long it has to wait, with so many watches. */
    long waitNanos(long now, int watches) {
        pay(now);
        long atOnce = Math.min(MOST_AT_ONCE_NANOS, watches * AT_ONCE_NANOS);
        return debtNanos <= BURST_NANOS ? 0 : (debtNanos - BURST_NANOS + atOnce) / percent * WHOLE;
    }

    /** Whether it owes more, or has to wait for longer, than telling alone ever comes to. */
    boolean owesTooMuch(long now) {
        pay(now);
        return debtNanos > MOST_NANOS || now - solventNanos > MOST_WAIT_NANOS;
    }

    private void pay(long now) {
        long paid = (now - reckonedNanos) / WHOLE * percent;
        debtNanos = Math.max(0, debtNanos - Math.max(0, paid));
        reckonedNanos = now;
        if (debtNanos <= BURST_NANOS) {
            solventNanos = now;
        }
    }
}
