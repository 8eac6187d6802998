package dev.holdfast.client.time;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers on one thread of their own, which nobody else's work can hold up. */
public final class ThreadTimers implements Timers, AutoCloseable {
    private final ScheduledThreadPoolExecutor executor;

    public ThreadTimers(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Cancellation schedule(long delayNanos, Runnable task) {
        try {
            ScheduledFuture<?> scheduled = executor.schedule(task, Math.max(delayNanos, 0), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {}; // the session is closed, and nothing is due any more
        }
    }

    /** Runs a task soon; false if the thread has been stopped. */
    public boolean execute(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}
