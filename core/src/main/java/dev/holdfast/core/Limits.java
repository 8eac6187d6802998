package dev.holdfast.core;

import java.util.Arrays;

/** The value of every {@link Limit}. Immutable. */
public final class Limits {
    private static final int HIGHEST_ID = 63;
    public static final Limits INITIAL = new Limits(initialValues());

    /** By the limit's id. */
    private final long[] values;

    private Limits(long[] values) {
        this.values = values;
    }

    public long get(Limit limit) {
        return values[limit.id()];
    }

    /** These limits with one changed; the value must lie within the limit's own range. */
    public Limits with(Limit limit, long value) {
        if (value < limit.lowest() || value > limit.highest()) {
            throw new IllegalArgumentException(
                    limit + ": must be from " + limit.lowest() + " to " + limit.highest() + ", was " + value);
        }
        long[] changed = values.clone();
        changed[limit.id()] = value;
        return new Limits(changed);
    }

    private static long[] initialValues() {
        long[] initial = new long[HIGHEST_ID + 1];
        for (Limit limit : Limit.values()) {
            initial[limit.id()] = limit.initial();
        }
        return initial;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Limits limits && Arrays.equals(values, limits.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return "Limits" + Arrays.toString(values);
    }
}
