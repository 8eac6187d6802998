package dev.holdfast.server.propose;

/**
 * The cluster's time as one leader counts it, for one term.
 *
 * <p>It starts at the machine's own {@code now}, when the first entry of the term has been applied, and adds
 * up what a monotonic clock says in steps of at most {@link #LONGEST_STEP_NANOS}: a leader that stood still
 * ages nobody whose renewals were waiting in its sockets. It must be read at least that often, or time is lost;
 * losing time only lets leases live longer.
 */
final class ClusterClock {
    static final long LONGEST_STEP_NANOS = 500_000_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long term;
    private final long baseMillis;
    private long elapsedNanos;
    private long lastNanos;

    ClusterClock(long term, long baseMillis, long nanos) {
        this.term = term;
        this.baseMillis = baseMillis;
        this.lastNanos = nanos;
    }

    long term() {
        return term;
    }

    long read(long nanos) {
        long step = nanos - lastNanos;
        lastNanos = nanos;
        elapsedNanos += Math.max(0, Math.min(step, LONGEST_STEP_NANOS));
        return baseMillis + elapsedNanos / NANOS_PER_MILLI;
    }
}
