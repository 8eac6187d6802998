package dev.holdfast.core.time;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All deadlines, on a grid of 16 ms, rounded up.
 *
 * <p>One bucket per tick. Putting a deadline off, which every renewal does, only writes the timer's
 * new tick: the timer is moved when its old bucket comes up. So a renewal costs one store, and a timer
 * is moved once per TTL however often it is renewed. Where timers lie is therefore history, not state;
 * the order in which they are reported depends on (tick, what, order) alone.
 */
public final class Deadlines {
    private static final int GRID_SHIFT = 4;

    private final TreeMap<Long, List<Timer>> buckets = new TreeMap<>();

    /** Timers of the bucket that came up, in order. */
    private final ArrayDeque<Timer> linedUp = new ArrayDeque<>();

    private long linedUpTick;

    /** The bucket that was last put into: timers that are set together mostly end together. */
    private long lastTick = -1;

    private List<Timer> lastBucket = List.of();

    public static long tickOf(long deadlineMillis) {
        return (deadlineMillis + (1 << GRID_SHIFT) - 1) >> GRID_SHIFT;
    }

    /** The latest tick that is due at this time. */
    public static long tickReachedAt(long nowMillis) {
        return nowMillis >> GRID_SHIFT;
    }

    public void set(Timer timer, long tick) {
        if (timer.index >= 0) {
            if (tick >= timer.bucketTick) {
                timer.tick = tick;
                return;
            }
            cancel(timer);
        }
        timer.tick = tick;
        place(timer);
    }

    public void cancel(Timer timer) {
        if (timer.index >= 0) {
            List<Timer> bucket = buckets.get(timer.bucketTick);
            if (bucket == null || bucket.get(timer.index) != timer) {
                throw new IllegalStateException("a timer is not where it says");
            }
            Timer last = bucket.remove(bucket.size() - 1);
            if (last != timer) {
                bucket.set(timer.index, last);
                last.index = timer.index;
            }
            if (bucket.isEmpty()) {
                remove(timer.bucketTick);
            }
        }
        timer.index = Timer.NOWHERE;
    }

    /**
     * The next timer in order that is due, or null. The caller ends what the timer stands for, which
     * cancels it, before it asks for the next one; it may stop asking at any time and go on later.
     */
    public @Nullable Timer nextDue(long nowMillis) {
        if (!linedUp.isEmpty() && !buckets.isEmpty() && buckets.firstKey() <= linedUpTick) {
            putBack();
        }
        while (true) {
            Timer next = linedUp.peek();
            if (next == null) {
                if (!lineUpNextBucket(nowMillis)) {
                    return null;
                }
            } else if (next.index == Timer.LINED_UP) {
                return next;
            } else {
                linedUp.remove();
            }
        }
    }

    /** Cluster time before which nothing is due, {@code Long.MAX_VALUE} if nothing ever is. */
    public long earliestMillis() {
        if (!linedUp.isEmpty()) {
            return 0;
        }
        return buckets.isEmpty() ? Long.MAX_VALUE : buckets.firstKey() << GRID_SHIFT;
    }

    /** Lines up the first bucket that is due. What was put off moves to its own bucket. */
    private boolean lineUpNextBucket(long nowMillis) {
        while (!buckets.isEmpty() && buckets.firstKey() <= tickReachedAt(nowMillis)) {
            Map.Entry<Long, List<Timer>> first = buckets.firstEntry();
            long tick = first.getKey();
            remove(tick);
            List<Timer> ripe = new ArrayList<>();
            for (Timer timer : first.getValue()) {
                if (timer.tick > tick) {
                    place(timer);
                } else {
                    timer.index = Timer.LINED_UP;
                    ripe.add(timer);
                }
            }
            if (!ripe.isEmpty()) {
                ripe.sort(Timer::inOrder);
                linedUp.addAll(ripe);
                linedUpTick = tick;
                return true;
            }
        }
        return false;
    }

    /** Some deadline was set for an earlier time than those lined up: their turn comes after it. */
    private void putBack() {
        for (Timer timer : linedUp) {
            if (timer.index == Timer.LINED_UP) {
                place(timer);
            }
        }
        linedUp.clear();
    }

    private void place(Timer timer) {
        if (timer.tick != lastTick) {
            lastTick = timer.tick;
            lastBucket = buckets.computeIfAbsent(lastTick, tick -> new ArrayList<>(4));
        }
        timer.bucketTick = timer.tick;
        timer.index = lastBucket.size();
        lastBucket.add(timer);
    }

    private void remove(long tick) {
        buckets.remove(tick);
        if (tick == lastTick) {
            lastTick = -1;
        }
    }
}
