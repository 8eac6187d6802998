package dev.holdfast.testkit;

import dev.holdfast.client.session.SerialExecutor;
import dev.holdfast.simulator.world.SimulatedProcess;
import java.util.ArrayDeque;

/**
 * The way from users' threads into a simulated process, and back: shut while the process is stopped or asleep.
 *
 * <p>Users' threads go on then, for they are real. But what they ask of the client waits, and what the client has to tell
 * them does. When the process is dead, the way is open for good: its session refuses whatever is asked.
 */
final class Doorway implements SerialExecutor.SpareThread {
    private final Clockwork clockwork;
    private final SimulatedProcess process;
    /** Touched by the clockwork's thread alone. */
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();

    Doorway(Clockwork clockwork, SimulatedProcess process) {
        this.clockwork = clockwork;
        this.process = process;
    }

    @Override
    public boolean run(Runnable task) {
        return clockwork.post(() -> {
            held.add(task);
            open();
        });
    }

    /** A world is touched by one thread. */
    @Override
    public boolean takesAll() {
        return true;
    }

    /** Lets through what waits, if the process does not stand still. */
    void open() {
        while (!held.isEmpty() && (process.isRunning() || !process.isAlive())) {
            held.remove().run();
        }
    }
}
