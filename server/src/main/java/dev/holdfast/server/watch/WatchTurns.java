package dev.holdfast.server.watch;

import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Lets readers tell their clients, in turn: of each caller the streams of one event loop at a time, as often as its share
 * of the time allows, and of all callers only some at once. So what one caller's watches cost does not grow with their number.
 *
 * <p>Confined to the hub's loop, except {@link #want} and what a reader does in its turn.
 */
final class WatchTurns {
    /** How long one turn lasts: as long as anybody else on the same event loop has to wait for it. */
    private static final long TURN_NANOS = 100_000;

    /** What took longer did not run all the time: on a busy machine, the thread had to wait for a processor. */
    private static final long MAX_SPENT_NANOS = 20 * TURN_NANOS;

    private final ScheduledExecutorService loop;
    private final LongSupplier nanos;
    private final int atOnce;
    private final ArrayDeque<CallerWatches> ready = new ArrayDeque<>();
    private int running;

    WatchTurns(ScheduledExecutorService loop, LongSupplier nanos, int atOnce) {
        this.loop = loop;
        this.nanos = nanos;
        this.atOnce = atOnce;
    }

    /** A stream has something to tell. From any thread. */
    void want(WatchReader reader) {
        if (reader.wants()) {
            execute(() -> queue(reader));
        }
    }

    private void queue(WatchReader reader) {
        reader.caller().turns.add(reader);
        goOn(reader.caller());
    }

    private void goOn(CallerWatches caller) {
        CallerTurns turns = caller.turns;
        if (turns.busy || turns.isEmpty()) {
            return;
        }
        turns.busy = true;
        long wait = turns.waitNanos(nanos.getAsLong(), caller.open.get());
        if (wait == 0) {
            ready.add(caller);
            start();
        } else {
            var unused = loop.schedule(
                    () -> {
                        turns.busy = false;
                        goOn(caller);
                    },
                    wait,
                    TimeUnit.NANOSECONDS);
        }
    }

    private void start() {
        while (running < atOnce && !ready.isEmpty()) {
            CallerWatches caller = ready.remove();
            ArrayDeque<WatchReader> readers = caller.turns.next();
            running++;
            try {
                readers.element().loop().execute(() -> take(caller, readers));
            } catch (RejectedExecutionException e) {
                ended(caller, new ArrayDeque<>(), 0); // the streams' loop has ended, and they with it
            }
        }
    }

    /** On the loop of these streams; those who are left have their turn later. */
    private void take(CallerWatches caller, ArrayDeque<WatchReader> readers) {
        long begin = nanos.getAsLong();
        BooleanSupplier over = () -> nanos.getAsLong() - begin >= TURN_NANOS;
        try {
            do {
                WatchReader reader = readers.remove();
                if (reader.take(over)) {
                    want(reader);
                }
            } while (!readers.isEmpty() && !over.getAsBoolean());
        } finally {
            long spent = Math.min(nanos.getAsLong() - begin, MAX_SPENT_NANOS);
            execute(() -> ended(caller, readers, spent));
        }
    }

    private void ended(CallerWatches caller, ArrayDeque<WatchReader> left, long spent) {
        running--;
        left.forEach(caller.turns::add);
        caller.turns.busy = false;
        caller.turns.spend(spent);
        goOn(caller);
        start();
    }

    private void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The node has stopped: nobody is told any more.
        }
    }
}
