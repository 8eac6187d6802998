package dev.holdfast.simulator.world;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Virtual time: a queue of things to happen, worked off by one thread.
 *
 * <p>Everything that is left to chance comes from one seed, and things due at the same moment happen in the order in
 * which they were planned. So the same seed gives the same run, to the last step. Other threads may ask what time it is,
 * and nothing else.
 */
public final class World {
    private final PriorityQueue<Happening> queue = new PriorityQueue<>();
    private final SplittableRandom random;
    private final Trace trace;
    private volatile long now;
    private long planned;

    private record Happening(long time, long number, Runnable task) implements Comparable<Happening> {
        @Override
        public int compareTo(Happening other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    public World(long seed, Trace trace) {
        this.random = new SplittableRandom(seed);
        this.trace = trace;
    }

    /** Nanoseconds since the beginning. */
    public long now() {
        return now;
    }

    /** A source of chance of one's own, so that what one does leaves the others' luck alone. */
    public RandomGenerator chance() {
        return random.split();
    }

    /** Plans something. */
    public void after(long nanos, Runnable task) {
        queue.add(new Happening(now + Math.max(nanos, 0), planned++, task));
    }

    /** Notes something in the run's trace; the text is made only if somebody reads it. */
    public void note(String who, Supplier<String> what) {
        trace.note(now, who, what);
    }

    /**
     * Lets time pass. Whatever is under way may call this itself: it is then a thread that stalls, while all others go
     * on.
     */
    public void run(long nanos) {
        long end = now + nanos;
        for (Happening next = queue.peek(); next != null && next.time <= end; next = queue.peek()) {
            queue.remove();
            now = Math.max(now, next.time);
            next.task.run();
        }
        now = Math.max(now, end);
    }
}
