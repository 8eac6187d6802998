package dev.holdfast.client.api;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * Which permits of a semaphore: their numbers, from 0, in order.
 *
 * <p>Kept as ranges: thousands of permits are mostly a few runs of neighbours.
 */
public final class Slots extends AbstractList<Integer> implements RandomAccess {
    /** For locks that are no semaphores, and for permits that are waited for. */
    public static final Slots NONE = new Slots(new int[0], new int[0], 0);

    private final int[] firsts;

    /** How many slots there are in all ranges before each. */
    private final int[] before;

    private final int size;

    private Slots(int[] firsts, int[] before, int size) {
        this.firsts = firsts;
        this.before = before;
        this.size = size;
    }

    /** These: the first and the last number of each range, in order. */
    public static Slots ofRanges(List<Integer> bounds) {
        if (bounds.isEmpty()) {
            return NONE;
        }
        int[] firsts = new int[bounds.size() / 2];
        int[] before = new int[firsts.length];
        int size = 0;
        int last = -1;
        for (int range = 0; range < firsts.length; range++) {
            int first = bounds.get(2 * range);
            if (first <= last || bounds.get(2 * range + 1) < first) {
                throw new IllegalArgumentException("slots: ranges that are not in order");
            }
            last = bounds.get(2 * range + 1);
            firsts[range] = first;
            before[range] = size;
            size = Math.addExact(size, last - first + 1);
        }
        return new Slots(firsts, before, size);
    }

    @Override
    public Integer get(int index) {
        int low = 0;
        int high = firsts.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (before[middle] <= index) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return firsts[low] + Objects.checkIndex(index, size) - before[low];
    }

    @Override
    public int size() {
        return size;
    }

    /** How many ranges there are. */
    public int ranges() {
        return firsts.length;
    }

    public int first(int range) {
        return firsts[range];
    }

    public int last(int range) {
        int end = range + 1 < before.length ? before[range + 1] : size;
        return firsts[range] + end - before[range] - 1;
    }

    /** {@code 0-3, 7}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int range = 0; range < firsts.length; range++) {
            text.append(range == 0 ? "" : ", ").append(first(range));
            if (last(range) > first(range)) {
                text.append('-').append(last(range));
            }
        }
        return text.toString();
    }
}
