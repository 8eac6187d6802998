package dev.holdfast.cli.load;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Latencies and failures of a run, in microseconds, from any number of threads. */
final class Meter {
    private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(10);
    private static final int DIGITS = 3;

    private final Histogram acquire = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
    private final Histogram release = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
    private final Histogram pair = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
    private final Map<String, Long> failures = new TreeMap<>();

    /** Adds a pair, by the times at which it should have begun, was granted, was to be released, and was. */
    void pair(long begunNanos, long grantedNanos, long doneNanos, long releasedNanos) {
        record(acquire, grantedNanos - begunNanos);
        record(release, releasedNanos - doneNanos);
        record(pair, grantedNanos - begunNanos + releasedNanos - doneNanos);
    }

    private static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.min(LONGEST_MICROS, Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos))));
    }

    synchronized void failure(Throwable failure) {
        failures.merge(failure.getClass().getSimpleName() + ": " + failure.getMessage(), 1L, Long::sum);
    }

    long pairs() {
        return pair.getTotalCount();
    }

    Histogram acquire() {
        return acquire;
    }

    Histogram release() {
        return release;
    }

    Histogram pair() {
        return pair;
    }

    synchronized Map<String, Long> failures() {
        return new TreeMap<>(failures);
    }
}
