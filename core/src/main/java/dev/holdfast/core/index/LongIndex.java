package dev.holdfast.core.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A set of values found by a number that each of them knows: some twelve bytes per value instead of the
 * fifty of a map with boxed keys.
 *
 * <p>Open addressing with linear probing. The hashes lie beside the values, so that a search touches no
 * value but the one it wants: values are spread over the heap, and each would be a cache miss. It has no
 * order of its own that may be seen: {@link #values} is for callers that sort.
 */
public final class LongIndex<V> {
    private static final int SMALLEST = 4;
    private static final int NOT_FOUND = -1;

    private final ToLongFunction<V> keyOf;
    private final KeyedHash hash;
    private int[] hashes = new int[SMALLEST];
    private @Nullable Object[] table = new @Nullable Object[SMALLEST];
    private int size;

    public LongIndex(ToLongFunction<V> keyOf, KeyedHash hash) {
        this.keyOf = keyOf;
        this.hash = hash;
    }

    public int size() {
        return size;
    }

    public @Nullable V get(long key) {
        int slot = slotOf(key);
        return slot == NOT_FOUND ? null : at(slot);
    }

    /** Adds a value whose key must be absent. */
    public void add(V value) {
        if (4 * (size + 1) > 3 * table.length) {
            resize(table.length * 2);
        }
        insert(hash.of(keyOf.applyAsLong(value)), value);
        size++;
    }

    public void remove(long key) {
        int slot = slotOf(key);
        if (slot == NOT_FOUND) {
            return;
        }
        closeGap(slot);
        size--;
        if (table.length > SMALLEST && 8 * size < table.length) {
            resize(table.length / 2);
        }
    }

    /** All values, in no order that means anything. */
    public List<V> values() {
        List<V> values = new ArrayList<>(size);
        visit(values::add);
        return values;
    }

    /** Visits values in no order that means anything, until the visitor says no. */
    public void visit(Predicate<V> visitor) {
        for (int slot = 0; slot < table.length; slot++) {
            V value = at(slot);
            if (value != null && !visitor.test(value)) {
                return;
            }
        }
    }

    private int slotOf(long key) {
        int mask = table.length - 1;
        int wanted = hash.of(key);
        int slot = wanted & mask;
        while (true) {
            V value = at(slot);
            if (value == null) {
                return NOT_FOUND;
            }
            if (hashes[slot] == wanted && keyOf.applyAsLong(value) == key) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /** Moves later values of the same run back, so that no search stops at the hole. */
    private void closeGap(int gap) {
        int mask = table.length - 1;
        int hole = gap;
        int slot = (hole + 1) & mask;
        while (table[slot] != null) {
            int home = hashes[slot] & mask;
            if (((slot - home) & mask) >= ((slot - hole) & mask)) {
                table[hole] = table[slot];
                hashes[hole] = hashes[slot];
                hole = slot;
            }
            slot = (slot + 1) & mask;
        }
        table[hole] = null;
    }

    private void resize(int capacity) {
        @Nullable Object[] oldTable = table;
        int[] oldHashes = hashes;
        table = new @Nullable Object[capacity];
        hashes = new int[capacity];
        for (int slot = 0; slot < oldTable.length; slot++) {
            Object value = oldTable[slot];
            if (value != null) {
                insert(oldHashes[slot], value);
            }
        }
    }

    private void insert(int hashed, Object value) {
        int mask = table.length - 1;
        int slot = hashed & mask;
        while (table[slot] != null) {
            slot = (slot + 1) & mask;
        }
        table[slot] = value;
        hashes[slot] = hashed;
    }

    /** How many slots lie between where a value would be looked for first and where it is, or the look-up ends. */
    int distanceTo(long key) {
        int mask = table.length - 1;
        int home = hash.of(key) & mask;
        int slot = home;
        while (table[slot] != null && keyOf.applyAsLong(Objects.requireNonNull(at(slot))) != key) {
            slot = (slot + 1) & mask;
        }
        return (slot - home) & mask;
    }

    @SuppressWarnings("unchecked") // only add() fills the table, and it takes a V
    private @Nullable V at(int slot) {
        return (V) table[slot];
    }
}
