package dev.holdfast.core.time;

/**
 * Something that ends at a deadline, which {@link Deadlines} reports when it is due.
 *
 * <p>A base class and not a field, because a lease is found and renewed ten million times a second: one object less to
 * fetch is a cache miss less.
 */
public abstract class Timer {
    /** What ends; in this order things end that are due at the same tick. */
    public enum What {
        LEASE,
        WAIT,
        HOLD,
        LINGERING,
        QUARANTINE
    }

    static final int NOWHERE = -1;

    /** Its bucket came up, and it waits to be ended. */
    static final int LINED_UP = -2;

    long tick;

    /** The bucket it lies in: its tick, or an earlier one if the deadline was put off since. */
    long bucketTick;

    /** Where in its bucket it lies. */
    int index = NOWHERE;

    public abstract What what();

    /** Decides among timers of one tick for the same kind of thing; unsigned. */
    public abstract long order();

    public long tick() {
        return tick;
    }

    /** For what is only imagined, and so has no deadline. */
    protected final void neverDue() {
        tick = Long.MAX_VALUE;
    }

    public boolean isDueAt(long nowMillis) {
        return tick <= Deadlines.tickReachedAt(nowMillis);
    }

    static int inOrder(Timer a, Timer b) {
        int byWhat = a.what().compareTo(b.what());
        return byWhat != 0 ? byWhat : Long.compareUnsigned(a.order(), b.order());
    }
}
