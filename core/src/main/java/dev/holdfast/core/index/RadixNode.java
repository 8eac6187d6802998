package dev.holdfast.core.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An inner node of a {@link RadixTree}: the bytes that all keys below share, the entry that ends here,
 * and the children by their next byte.
 *
 * <p>Sparse: {@code labels} is sorted and runs parallel to {@code children}. Dense: {@code labels} is
 * null and {@code children} has a slot for each byte.
 */
final class RadixNode {
    private static final byte[] NO_BYTES = {};
    private static final int MAX_SPARSE = 48;
    private static final int FEWEST_DENSE = 36;

    byte[] prefix;

    @Nullable
    Object value;

    private byte @Nullable [] labels = new byte[2];
    private @Nullable Object[] children = new @Nullable Object[2];
    private int count;

    RadixNode(byte[] prefix) {
        this.prefix = prefix;
    }

    static byte[] slice(byte[] bytes, int from, int to) {
        return from >= to ? NO_BYTES : Arrays.copyOfRange(bytes, from, to);
    }

    /** How many bytes of the prefix the key has at {@code depth}. */
    int matchingPrefix(byte[] key, int depth) {
        int most = Math.min(prefix.length, key.length - depth);
        for (int i = 0; i < most; i++) {
            if (prefix[i] != key[depth + i]) {
                return i;
            }
        }
        return most;
    }

    @Nullable
    Object child(byte label) {
        if (labels == null) {
            return children[label & 0xFF];
        }
        int slot = slotOf(labels, label);
        return slot < count && labels[slot] == label ? children[slot] : null;
    }

    int slots() {
        return labels == null ? children.length : count;
    }

    @Nullable
    Object childAt(int slot) {
        return children[slot];
    }

    byte labelAt(int slot) {
        return labels == null ? (byte) slot : labels[slot];
    }

    int firstSlotFrom(byte label) {
        return labels == null ? label & 0xFF : slotOf(labels, label);
    }

    void setChild(byte label, Object child) {
        children[firstSlotFrom(label)] = child;
    }

    void addChild(byte label, Object child) {
        if (labels != null && count == MAX_SPARSE) {
            makeDense(labels);
        }
        if (labels == null) {
            children[label & 0xFF] = child;
            count++;
            return;
        }
        if (count == labels.length) {
            resize(Math.min(MAX_SPARSE, count * 2));
        }
        int slot = slotOf(labels, label);
        System.arraycopy(labels, slot, labels, slot + 1, count - slot);
        System.arraycopy(children, slot, children, slot + 1, count - slot);
        labels[slot] = label;
        children[slot] = child;
        count++;
    }

    void removeChild(byte label) {
        count--;
        if (labels == null) {
            children[label & 0xFF] = null;
            if (count < FEWEST_DENSE) {
                makeSparse();
            }
            return;
        }
        int slot = slotOf(labels, label);
        System.arraycopy(labels, slot + 1, labels, slot, count - slot);
        System.arraycopy(children, slot + 1, children, slot, count - slot);
        children[count] = null;
        if (count >= 2 && count <= labels.length / 4) {
            resize(labels.length / 2);
        }
    }

    /** Hangs an entry whose key is known to share this node's path: here, or below it. */
    void hang(byte[] key, int ends, Object entry) {
        if (ends == key.length) {
            value = entry;
        } else {
            addChild(key[ends], entry);
        }
    }

    /** A node for the first {@code matching} bytes of the prefix, above this one and the new entry. */
    RadixNode splitAt(int matching, byte[] key, int depth, Object entry) {
        RadixNode upper = new RadixNode(slice(prefix, 0, matching));
        byte label = prefix[matching];
        prefix = slice(prefix, matching + 1, prefix.length);
        upper.addChild(label, this);
        upper.hang(key, depth + matching, entry);
        return upper;
    }

    /** What can stand in this node's place after something was removed: itself, or its one content. */
    Object collapsed() {
        if (value != null) {
            return count == 0 ? value : this;
        }
        if (count != 1) {
            return this;
        }
        int slot = 0;
        while (children[slot] == null) {
            slot++;
        }
        Object only = children[slot];
        if (only instanceof RadixNode lower) {
            lower.prefix = joined(prefix, labelAt(slot), lower.prefix);
        }
        return only == null ? this : only;
    }

    private static byte[] joined(byte[] upper, byte label, byte[] lower) {
        byte[] joined = Arrays.copyOf(upper, upper.length + 1 + lower.length);
        joined[upper.length] = label;
        System.arraycopy(lower, 0, joined, upper.length + 1, lower.length);
        return joined;
    }

    /** The slot of the label, or where it would go. */
    private int slotOf(byte[] sorted, byte label) {
        int wanted = label & 0xFF;
        int slot = 0;
        while (slot < count && (sorted[slot] & 0xFF) < wanted) {
            slot++;
        }
        return slot;
    }

    private void resize(int capacity) {
        if (labels != null) {
            labels = Arrays.copyOf(labels, capacity);
            children = Arrays.copyOf(children, capacity);
        }
    }

    private void makeDense(byte[] sparseLabels) {
        @Nullable Object[] table = new @Nullable Object[256];
        for (int slot = 0; slot < count; slot++) {
            table[sparseLabels[slot] & 0xFF] = children[slot];
        }
        labels = null;
        children = table;
    }

    private void makeSparse() {
        byte[] sparseLabels = new byte[MAX_SPARSE];
        @Nullable Object[] sparse = new @Nullable Object[MAX_SPARSE];
        int slot = 0;
        for (int label = 0; label < children.length; label++) {
            if (children[label] != null) {
                sparseLabels[slot] = (byte) label;
                sparse[slot++] = children[label];
            }
        }
        labels = sparseLabels;
        children = sparse;
    }
}
