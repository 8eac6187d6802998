package dev.holdfast.cli.top;

import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts grants by key, out of a watch, on a thread of its own.
 *
 * <p>Counts a bounded number of keys in each interval; grants of others are counted together.
 */
final class GrantCounts implements AutoCloseable {
    private static final int MAX_KEYS = 100_000;

    private final Watch watch;
    private final Thread thread;
    private Map<String, Integer> counts = new HashMap<>();
    private long others;
    private long sinceNanos = System.nanoTime();
    private boolean ended;

    /**
     * What was granted in an interval.
     *
     * @param others grants of keys beyond those that could be counted one by one
     * @param complete false if there was more than the watch could follow
     */
    record Interval(Map<String, Integer> counts, long others, double seconds, boolean complete) {
        double perSecond(String key) {
            return counts.getOrDefault(key, 0) / seconds;
        }

        double perSecond() {
            return (counts.values().stream().mapToLong(count -> count).sum() + others) / seconds;
        }
    }

    GrantCounts(Watch watch) {
        this.watch = watch;
        this.thread = new Thread(this::follow, "holdfast-top-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void follow() {
        try {
            while (true) {
                WatchEvent event = watch.next();
                if (event.kind() == WatchEvent.Kind.GRANTED) {
                    count(event.key());
                }
            }
        } catch (InterruptedException | IllegalStateException e) {
            // Closed: nobody wants to know any more.
        } catch (CompactedException e) {
            fellBehind();
        }
    }

    private synchronized void count(String key) {
        if (counts.size() < MAX_KEYS || counts.containsKey(key)) {
            counts.merge(key, 1, Integer::sum);
        } else {
            others++;
        }
    }

    private synchronized void fellBehind() {
        ended = true;
    }

    /** What was granted since this was asked last. */
    synchronized Interval take() {
        long now = System.nanoTime();
        double seconds = Math.max(1, now - sinceNanos) / (double) TimeUnit.SECONDS.toNanos(1);
        Interval interval = new Interval(counts, others, seconds, !ended);
        counts = new HashMap<>();
        others = 0;
        sinceNanos = now;
        return interval;
    }

    @Override
    public void close() {
        watch.close();
        thread.interrupt();
    }
}
