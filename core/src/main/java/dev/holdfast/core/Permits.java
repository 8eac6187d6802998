package dev.holdfast.core;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Permits of one semaphore: how many, and, once they are held, which ones.
 *
 * <p>The permits of a semaphore are numbered from 0; a number is a slot. Slots are kept as ranges, because a request for
 * thousands of permits mostly gets a few runs of neighbours. Immutable.
 */
public final class Permits {
    /** For whatever is no semaphore. */
    public static final Permits NONE = new Permits(0, new int[0]);

    private static final Permits ONE_WANTED = new Permits(1, new int[0]);

    private final int count;

    /** The first and the last slot of each range, ascending; between two ranges a slot is missing. */
    private final int[] bounds;

    private Permits(int count, int[] bounds) {
        this.count = count;
        this.bounds = bounds;
    }

    /** So many, whichever will be free. */
    public static Permits wanted(int count) {
        return count == 0 ? NONE : count == 1 ? ONE_WANTED : new Permits(count, NONE.bounds);
    }

    /** These: the first and the last slot of each range, in order. */
    public static Permits ofRanges(int... bounds) {
        Ranges ranges = new Ranges();
        if (bounds.length % 2 != 0) {
            throw new IllegalArgumentException("slots: a range without an end");
        }
        for (int i = 0; i < bounds.length; i += 2) {
            ranges.add(bounds[i], bounds[i + 1]);
        }
        return ranges.toPermits();
    }

    /** Collects ranges in ascending order. */
    public static final class Ranges {
        private int[] bounds = new int[2];
        private int size;
        private int count;

        /** Adds the slots from {@code first} to {@code last}, which all come after those that were added before. */
        public void add(int first, int last) {
            if (first < 0 || last < first || last == Integer.MAX_VALUE) {
                throw new IllegalArgumentException("slots: no range from " + first + " to " + last);
            }
            if (size > 0 && first <= bounds[size - 1]) {
                throw new IllegalArgumentException("slots: " + first + " after " + bounds[size - 1]);
            }
            count = Math.addExact(count, last - first + 1);
            if (size > 0 && first == bounds[size - 1] + 1) {
                bounds[size - 1] = last;
                return;
            }
            if (size == bounds.length) {
                bounds = Arrays.copyOf(bounds, 2 * size);
            }
            bounds[size++] = first;
            bounds[size++] = last;
        }

        public Permits toPermits() {
            return size == 0 ? NONE : new Permits(count, size == bounds.length ? bounds : Arrays.copyOf(bounds, size));
        }
    }

    public int count() {
        return count;
    }

    /** Whether it is known which ones they are. */
    public boolean areHeld() {
        return bounds.length > 0;
    }

    /** How many ranges the slots form; 0 while they are only wanted. */
    public int rangeCount() {
        return bounds.length / 2;
    }

    public int first(int range) {
        return bounds[2 * range];
    }

    public int last(int range) {
        return bounds[2 * range + 1];
    }

    /** Calls back for each slot, lowest first. */
    public void forEachSlot(IntConsumer slots) {
        for (int range = 0; range < rangeCount(); range++) {
            for (int slot = first(range); slot <= last(range); slot++) {
                slots.accept(slot);
            }
        }
    }

    /** Whether both have a slot in common. */
    public boolean overlap(Permits other) {
        int mine = 0;
        int theirs = 0;
        while (mine < rangeCount() && theirs < other.rangeCount()) {
            if (last(mine) < other.first(theirs)) {
                mine++;
            } else if (other.last(theirs) < first(mine)) {
                theirs++;
            } else {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Permits permits && count == permits.count && Arrays.equals(bounds, permits.bounds);
    }

    @Override
    public int hashCode() {
        return 31 * count + Arrays.hashCode(bounds);
    }

    /** {@code 0-3,7} for those that are held, {@code 5 wanted} for those that are not. */
    @Override
    public String toString() {
        if (!areHeld()) {
            return count == 0 ? "none" : count + " wanted";
        }
        StringBuilder text = new StringBuilder();
        for (int range = 0; range < rangeCount(); range++) {
            text.append(range == 0 ? "" : ",").append(first(range));
            if (last(range) > first(range)) {
                text.append('-').append(last(range));
            }
        }
        return text.toString();
    }
}
