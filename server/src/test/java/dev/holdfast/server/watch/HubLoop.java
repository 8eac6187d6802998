package dev.holdfast.server.watch;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;

/** A hub's thread that can fail in the middle of what it does. */
final class HubLoop extends ScheduledThreadPoolExecutor {
    private final AtomicBoolean fails = new AtomicBoolean();
    private volatile long thread;

    HubLoop() {
        super(1);
        execute(() -> thread = Thread.currentThread().getId());
    }

    /** The next time that the hub tells somebody that there is something to read, that fails. */
    void failOnce() {
        fails.set(true);
    }

    @Override
    public void execute(Runnable task) {
        if (Thread.currentThread().getId() == thread && fails.compareAndSet(true, false)) {
            throw new IllegalStateException("on purpose");
        }
        super.execute(task);
    }
}
