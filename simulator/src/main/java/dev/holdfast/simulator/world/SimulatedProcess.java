package dev.holdfast.simulator.world;

import dev.holdfast.client.time.Ticks;
import dev.holdfast.client.time.Timers;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * A process with clocks of its own, which can be stopped, put to sleep with its machine, and killed.
 *
 * <pre>
 *            stop, suspend                    resume
 *   RUNNING --------------> STOPPED/ASLEEP ----------> RUNNING        any --kill--> DEAD
 * </pre>
 *
 * While it does not run, what is meant for it waits. A process that is stopped finds its clocks to have gone on; one
 * that slept finds its monotonic clock where it was, and only its boot clock and its wall clock know better. Its clocks
 * may be read by any thread; all else belongs to the one that works the world off.
 */
public final class SimulatedProcess implements Ticks, Timers {
    private static final long MILLION = 1_000_000;

    private final World world;
    private final String name;
    private final long rateMillionths;
    private final ArrayDeque<Runnable> missed = new ArrayDeque<>();
    private Runnable awake = () -> {};
    private State state = State.RUNNING;
    private volatile Sleep sleep = new Sleep(0, 0, false);
    private volatile long wallOffset;

    private enum State {
        RUNNING,
        STOPPED,
        ASLEEP,
        DEAD
    }

    /**
     * What the monotonic clock does not show, in the world's time.
     *
     * @param slept how long all sleep took that is over
     * @param awake how long the process had been awake when it last fell asleep
     */
    private record Sleep(long slept, long awake, boolean asleep) {
        long awakeAt(long now) {
            // Another thread may have read the time before it woke up: its clock must not go back for that.
            return asleep ? awake : Math.max(now - slept, awake);
        }
    }

    /**
     * A running process.
     *
     * @param rateMillionths how much faster than the world's its clocks go, in millionths
     */
    public SimulatedProcess(World world, String name, long rateMillionths) {
        this.world = world;
        this.name = name;
        this.rateMillionths = rateMillionths;
    }

    public String name() {
        return name;
    }

    public World world() {
        return world;
    }

    public boolean isRunning() {
        return state == State.RUNNING;
    }

    public boolean isAlive() {
        return state != State.DEAD;
    }

    // Clocks -----------------------------------------------------------------------------------------

    @Override
    public long nanos() {
        long now = world.now();
        return scaled(sleep.awakeAt(now));
    }

    private long scaled(long worldNanos) {
        return worldNanos + worldNanos / MILLION * rateMillionths + worldNanos % MILLION * rateMillionths / MILLION;
    }

    @Override
    public long bootNanos() {
        return scaled(world.now());
    }

    @Override
    public long wallMillis() {
        return TimeUnit.NANOSECONDS.toMillis(world.now()) + wallOffset;
    }

    /** Sets the wall clock ahead, or back. */
    public void jump(long millis) {
        long moved = wallOffset + millis;
        wallOffset = moved;
    }

    // Tasks ------------------------------------------------------------------------------------------

    /** Runs something here after a time that the world measures; later if the process does not run then. */
    public void arrive(long worldNanos, Runnable task) {
        world.after(worldNanos, () -> take(task));
    }

    private void take(Runnable task) {
        if (state == State.RUNNING) {
            task.run();
        } else if (state != State.DEAD) {
            missed.add(task);
        }
    }

    /** Runs something here when this process's own monotonic clock has come so far. */
    @Override
    public Cancellation schedule(long delayNanos, Runnable task) {
        Timer timer = new Timer(nanos() + Math.max(delayNanos, 0), task);
        timer.plan();
        return timer;
    }

    private final class Timer implements Cancellation, Runnable {
        private final long due;
        private final Runnable task;
        private boolean cancelled;

        Timer(long due, Runnable task) {
            this.due = due;
            this.task = task;
        }

        void plan() {
            long left = due - nanos();
            arrive(left - left * rateMillionths / MILLION + 1, this);
        }

        @Override
        public void run() {
            if (cancelled) {
                return;
            }
            if (due - nanos() > 0) {
                plan();
            } else {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    // Faults -----------------------------------------------------------------------------------------

    /** As SIGSTOP does. */
    public void stop() {
        if (state == State.RUNNING) {
            state = State.STOPPED;
        }
    }

    /** As a closed lid does. */
    public void suspend() {
        if (state == State.RUNNING) {
            state = State.ASLEEP;
            sleep = new Sleep(sleep.slept(), sleep.awakeAt(world.now()), true);
        }
    }

    public void resume() {
        if (state == State.ASLEEP) {
            sleep = new Sleep(world.now() - sleep.awake(), sleep.awake(), false);
        }
        if (state == State.STOPPED || state == State.ASLEEP) {
            state = State.RUNNING;
            awake.run();
            while (state == State.RUNNING && !missed.isEmpty()) {
                missed.remove().run();
            }
        }
    }

    /** Has something done whenever it goes on, before it learns what it has missed. */
    public void whenAwake(Runnable task) {
        awake = task;
    }

    /** As SIGKILL does: nothing of it ever runs again. */
    public void kill() {
        state = State.DEAD;
        missed.clear();
    }
}
