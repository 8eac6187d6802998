package dev.holdfast.server.forward;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Gathers messages from any thread into frames that one executor writes: what arrives while a frame is being written
 * shares the next one.
 */
final class Coalescer<T> {
    private final Executor executor;
    private final Consumer<List<T>> writer;
    private final int most;
    private List<T> pending = new ArrayList<>();
    private boolean scheduled;

    Coalescer(Executor executor, int most, Consumer<List<T>> writer) {
        this.executor = executor;
        this.most = most;
        this.writer = writer;
    }

    void add(T message) {
        synchronized (this) {
            pending.add(message);
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        executor.execute(this::write);
    }

    private void write() {
        while (true) {
            List<T> taken;
            synchronized (this) {
                if (pending.isEmpty()) {
                    scheduled = false;
                    return;
                }
                taken = pending;
                pending = new ArrayList<>();
            }
            for (int from = 0; from < taken.size(); from += most) {
                writer.accept(taken.subList(from, Math.min(taken.size(), from + most)));
            }
        }
    }
}
