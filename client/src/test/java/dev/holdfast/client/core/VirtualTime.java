package dev.holdfast.client.core;

import dev.holdfast.client.time.Ticks;
import dev.holdfast.client.time.Timers;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** Clocks and timers that a test moves. Used by one thread. */
public final class VirtualTime implements Ticks, Timers {
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
    private long nanos = 1_000_000_000;
    private long asleepNanos;
    private long wallMillis = 1_700_000_000_000L;
    private long number;

    private record Task(long at, long number, Runnable run) {}

    /** Lets time pass, and whatever is due happen in it. */
    void pass(Duration duration) {
        long end = nanos + duration.toNanos();
        while (!tasks.isEmpty() && tasks.peek().at() - end <= 0) {
            Task task = tasks.remove();
            move(Math.max(task.at(), nanos));
            task.run().run();
        }
        move(end);
    }

    /** The process stands still: time passes, and nothing happens in it. */
    void stop(Duration duration) {
        move(nanos + duration.toNanos());
    }

    /** The machine sleeps: the monotonic clock stands still. */
    void sleep(Duration duration) {
        asleepNanos += duration.toNanos();
        wallMillis += duration.toMillis();
    }

    void jumpWall(Duration duration) {
        wallMillis += duration.toMillis();
    }

    private void move(long to) {
        wallMillis += TimeUnit.NANOSECONDS.toMillis(to) - TimeUnit.NANOSECONDS.toMillis(nanos);
        nanos = to;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return wallMillis;
    }

    @Override
    public long bootNanos() {
        return nanos + asleepNanos;
    }

    /** As a leader's clock shows it. */
    long clusterMillis() {
        return TimeUnit.NANOSECONDS.toMillis(nanos + asleepNanos);
    }

    @Override
    public Cancellation schedule(long delayNanos, Runnable task) {
        Task scheduled = new Task(nanos + Math.max(delayNanos, 0), number++, task);
        tasks.add(scheduled);
        return () -> tasks.remove(scheduled);
    }
}
