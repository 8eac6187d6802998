package dev.holdfast.server.forward;

import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.fair.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Gathers messages from any thread into frames that one executor writes: what arrives while a frame is being written
 * shares the next one, and takes turns for it.
 */
final class Coalescer<T> {
    private final Executor executor;
    private final Consumer<List<T>> writer;
    private final int most;
    private final Turns<T> pending = new Turns<>();
    private boolean scheduled;

    Coalescer(Executor executor, int most, Consumer<List<T>> writer) {
        this.executor = executor;
        this.most = most;
        this.writer = writer;
    }

    void add(Flow flow, int bytes, T message) {
        synchronized (this) {
            pending.add(flow, bytes, message);
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        executor.execute(this::write);
    }

    private void write() {
        while (true) {
            List<T> taken = new ArrayList<>();
            synchronized (this) {
                for (T next = pending.poll(); next != null; next = taken.size() < most ? pending.poll() : null) {
                    taken.add(next);
                }
                if (taken.isEmpty()) {
                    scheduled = false;
                    return;
                }
            }
            writer.accept(taken);
        }
    }
}
