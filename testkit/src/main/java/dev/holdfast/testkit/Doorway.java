package dev.holdfast.testkit;

import dev.holdfast.client.session.SerialExecutor;
import dev.holdfast.simulator.world.SimulatedProcess;
import java.util.ArrayDeque;

/**
 * The path from users' threads into a simulated process and back; closed while the process is stopped or asleep.
 *
 * <p>Users' threads keep running then, because they are real. But their calls to the client wait, and so do the
 * client's answers and callbacks. When the process is dead, the path stays open: its session refuses every call.
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

    /** Lets waiting calls through, unless the process is stopped. */
    void open() {
        while (!held.isEmpty() && (process.isRunning() || !process.isAlive())) {
            held.remove().run();
        }
    }
}
