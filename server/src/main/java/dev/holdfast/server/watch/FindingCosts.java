package dev.holdfast.server.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Charges callers for what finding out who wants an event takes, and putting it there, by the steps that were taken for
 * each. Confined to the hub's loop.
 */
final class FindingCosts {
    /** After so long callers are charged, and those who owe too much are found. */
    private static final long SETTLE_NANOS = 1_000_000;

    /** What took longer did not run all the time, unless it was more steps than that is enough for. */
    private static final long MAX_SPENT_NANOS = 5 * SETTLE_NANOS;

    private static final long MAX_STEP_NANOS = 2_000;

    private final LongSupplier nanos;
    private final List<CallerWatches> callers = new ArrayList<>();
    private long steps;
    private long begin;

    FindingCosts(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void begin() {
        begin = nanos.getAsLong();
    }

    /** So many steps were taken for a caller. */
    void count(CallerWatches caller, int taken) {
        if (caller.steps == 0) {
            callers.add(caller);
        }
        caller.steps += taken;
        steps += taken;
    }

    /** An event was looked at: if nobody wants it, nobody is charged for it. */
    void countEvent() {
        steps++;
    }

    boolean isDue() {
        return steps > 0 && nanos.getAsLong() - begin >= SETTLE_NANOS;
    }

    /** Charges everybody; gives those who owe too much now. */
    List<CallerWatches> settle() {
        if (steps == 0) {
            return List.of();
        }
        long now = nanos.getAsLong();
        double each = (double) Math.min(now - begin, MAX_SPENT_NANOS + steps * MAX_STEP_NANOS) / steps;
        List<CallerWatches> tooMuch = new ArrayList<>();
        for (CallerWatches caller : callers) {
            caller.turns.spend((long) (each * caller.steps));
            caller.steps = 0;
            if (caller.turns.owesTooMuch(now)) {
                tooMuch.add(caller);
            }
        }
        callers.clear();
        steps = 0;
        begin = now;
        return tooMuch;
    }
}
