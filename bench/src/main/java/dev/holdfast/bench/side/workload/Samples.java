package dev.holdfast.bench.side.workload;

import java.util.Arrays;

/** Durations or moments in nanoseconds, as many as come. Used by one thread at a time. */
final class Samples {
    private long[] values = new long[1 << 16];
    private int size;

    void add(long nanos) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = nanos;
    }

    long[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
