package dev.holdfast.server.node;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Whether a node does what it is there for: applies entries while work waits, and proposes.
 *
 * <p>A thread that hangs says nothing, so somebody has to look: {@link #look}, often, from any thread.
 */
final class Liveness {
    /** How many times the stall a proposing thread may stand still before the node is given up. */
    private static final int HOPELESS = 10;

    private final LongSupplier nanos;
    private final long stallNanos;
    private final LongSupplier applied;
    private final BooleanSupplier workWaits;
    private final LongSupplier steps;

    private long lookedNanos;
    private long lastApplied;
    private long lastSteps;
    private long idleNanos;
    private long stoodNanos;

    /**
     * Nothing has stood still yet.
     *
     * @param stall how long nothing may be applied although work waits
     * @param applied grows with every entry that is applied
     * @param steps grows with every step of the proposing thread, which takes several in any stall
     */
    Liveness(LongSupplier nanos, Duration stall, LongSupplier applied, BooleanSupplier workWaits, LongSupplier steps) {
        this.nanos = nanos;
        this.stallNanos = stall.toNanos();
        this.applied = applied;
        this.workWaits = workWaits;
        this.steps = steps;
        this.lookedNanos = nanos.getAsLong();
    }

    /** What stands still, if anything does. */
    synchronized Optional<String> look() {
        long now = nanos.getAsLong();
        // A process that was stopped as a whole has not hung: of the time between two looks only so much counts.
        long since = Math.min(now - lookedNanos, stallNanos / 4);
        lookedNanos = now;
        long appliedNow = applied.getAsLong();
        idleNanos = appliedNow != lastApplied || !workWaits.getAsBoolean() ? 0 : idleNanos + since;
        lastApplied = appliedNow;
        long stepsNow = steps.getAsLong();
        stoodNanos = stepsNow != lastSteps ? 0 : stoodNanos + since;
        lastSteps = stepsNow;
        if (stoodNanos > stallNanos) {
            return Optional.of("the thread that proposes has stood still for " + millis(stoodNanos) + " ms");
        }
        return idleNanos > stallNanos
                ? Optional.of(
                        "nothing was applied for " + millis(idleNanos) + " ms although requests wait: the log hangs")
                : Optional.empty();
    }

    /** Whether the proposing thread has stood still for so long that another node should lead. */
    synchronized boolean isHopeless() {
        return stoodNanos > HOPELESS * stallNanos;
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }
}
