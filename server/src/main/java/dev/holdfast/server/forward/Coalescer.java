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
    /** One message more and it is sent: far below what the other side takes. */
    private static final int FRAME_BYTES = 1024 * 1024;

    private final Executor executor;
    private final Consumer<List<T>> writer;
    private final int most;
    private final Turns<Pending<T>> pending = new Turns<>();
    private boolean scheduled;

    private record Pending<T>(int bytes, T message) {}

    Coalescer(Executor executor, int most, Consumer<List<T>> writer) {
        this.executor = executor;
        this.most = most;
        this.writer = writer;
    }

    void add(Flow flow, int bytes, T message) {
        synchronized (this) {
            pending.add(flow, bytes, new Pending<>(bytes, message));
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
                int bytes = 0;
                for (Pending<T> next = pending.poll(); next != null; ) {
                    taken.add(next.message());
                    bytes += next.bytes();
                    next = taken.size() < most && bytes < FRAME_BYTES ? pending.poll() : null;
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
