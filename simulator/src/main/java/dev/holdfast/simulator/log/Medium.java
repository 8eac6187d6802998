package dev.holdfast.simulator.log;

import dev.holdfast.simulator.world.World;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** How long a disk takes to flush a file, and whether it does. Files do not wait for each other. */
final class Medium {
    private static final int MILLION = 1_000_000;
    private static final long MICRO = 1_000;
    private static final long LONGEST_SLOW_NANOS = 3_000_000_000L;
    private static final long LOOK_NANOS = 50_000_000L;

    private final World world;
    private final RandomGenerator chance;
    private final Runnable failed;
    private DiskFaults faults;
    private long stalledUntil;
    private boolean failing;

    /** @param failed done in place of a flush that fails */
    Medium(World world, DiskFaults faults, Runnable failed) {
        this.world = world;
        this.chance = world.chance();
        this.faults = faults;
        this.failed = failed;
    }

    World world() {
        return world;
    }

    RandomGenerator chance() {
        return chance;
    }

    void become(DiskFaults next) {
        faults = next;
    }

    /** Has no flush end for a while. */
    void stall(long nanos) {
        stalledUntil = Math.max(stalledUntil, world.now() + nanos);
    }

    /** Has the next flush fail. */
    void failNext(boolean fails) {
        failing = fails;
    }

    /** Nothing goes wrong any more. */
    void heal() {
        become(new DiskFaults(faults.flushMicros(), 0));
        stalledUntil = 0;
        failing = false;
    }

    /** Flushes, unless that is no longer wanted by the time it would end. */
    void flush(BooleanSupplier wanted, Runnable flushed) {
        if (faults.flushMicros() == 0 && world.now() >= stalledUntil && !failing) {
            flushed.run();
        } else {
            world.after(duration(), () -> end(wanted, flushed));
        }
    }

    private long duration() {
        return chance.nextInt(MILLION) < faults.slow()
                ? chance.nextLong(LONGEST_SLOW_NANOS)
                : chance.nextLong(faults.flushMicros() * MICRO + 1);
    }

    private void end(BooleanSupplier wanted, Runnable flushed) {
        if (!wanted.getAsBoolean()) {
            return;
        }
        if (world.now() < stalledUntil) {
            world.after(Math.min(LOOK_NANOS, stalledUntil - world.now()), () -> end(wanted, flushed));
        } else if (failing) {
            failing = false;
            failed.run();
        } else {
            flushed.run();
        }
    }
}
