package dev.holdfast.client.time;

/** Runs things later. */
public interface Timers {
    /**
     * Runs a task once, not before the delay has passed.
     *
     * @return takes the task back; without effect once it runs
     */
    Cancellation schedule(long delayNanos, Runnable task);

    /** Takes something back. */
    @FunctionalInterface
    interface Cancellation {
        void cancel();
    }
}
