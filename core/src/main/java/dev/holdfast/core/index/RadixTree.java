package dev.holdfast.core.index;

import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A map from byte strings to entries, ordered by unsigned bytes.
 *
 * <p>One structure serves three needs that would otherwise cost three indexes per lock: look-up by
 * key, listing in key order from any point, and finding the entries whose keys are prefixes of a key.
 * It grows and shrinks node by node, so no operation ever pays for rehashing ten million entries.
 *
 * <p>A path-compressed radix tree. An entry is its own leaf: it hangs directly in its parent's child
 * array, and its remaining key bytes are read from the entry. A node's children are sorted arrays
 * while few, a 256-slot table once many.
 */
public final class RadixTree<E extends RadixTree.Entry> {

    /** What the tree holds: it knows its own key, which never changes. */
    public interface Entry {
        byte[] key();
    }

    private @Nullable Object root;
    private int size;

    /**
     * Where the last look-up ended. Whoever looks a key up mostly adds or removes it next, and need not
     * walk the same path again. Any change forgets it.
     */
    private byte @Nullable [] trailKey;

    private @Nullable RadixNode trailParent;
    private @Nullable RadixNode trailNode;
    private int trailDepth;

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public @Nullable E get(byte[] key) {
        RadixNode parent = null;
        RadixNode last = null;
        int lastDepth = 0;
        Object at = root;
        int depth = 0;
        while (at instanceof RadixNode node) {
            parent = last;
            last = node;
            lastDepth = depth;
            if (node.matchingPrefix(key, depth) < node.prefix.length) {
                at = null;
                break;
            }
            depth += node.prefix.length;
            if (depth == key.length) {
                at = node.value;
                break;
            }
            at = node.child(key[depth++]);
        }
        trailKey = key;
        trailParent = parent;
        trailNode = last;
        trailDepth = lastDepth;
        E found = entry(at);
        return found != null && Arrays.equals(found.key(), key) ? found : null;
    }

    private boolean isOnTrail(byte[] key) {
        return trailNode != null && Arrays.equals(trailKey, key);
    }

    private void forgetTrail() {
        trailKey = null;
        trailParent = null;
        trailNode = null;
        trailDepth = 0;
    }

    /** Adds an entry whose key must be absent. */
    public void add(E entry) {
        byte[] key = entry.key();
        boolean onTrail = isOnTrail(key);
        RadixNode parent = onTrail ? trailParent : null;
        Object at = onTrail ? trailNode : root;
        int depth = onTrail ? trailDepth : 0;
        forgetTrail();
        while (at instanceof RadixNode node) {
            int matching = node.matchingPrefix(key, depth);
            if (matching < node.prefix.length) {
                replaceChild(parent, key, depth, node.splitAt(matching, key, depth, entry));
                size++;
                return;
            }
            depth += matching;
            if (depth == key.length) {
                if (node.value != null) {
                    throw duplicate(entry);
                }
                node.value = entry;
                size++;
                return;
            }
            parent = node;
            at = node.child(key[depth]);
            depth++;
        }
        E other = entry(at);
        if (other == null) {
            addBelow(parent, key, depth, entry);
        } else {
            replaceChild(parent, key, depth, fork(other, entry, depth));
        }
        size++;
    }

    /** Removes an entry that is present. */
    public void remove(E entry) {
        byte[] key = entry.key();
        boolean onTrail = isOnTrail(key);
        RadixNode grandparent = null;
        RadixNode parent = onTrail ? trailParent : null;
        int parentDepth = 0;
        Object at = onTrail ? trailNode : root;
        int depth = onTrail ? trailDepth : 0;
        forgetTrail();
        while (at instanceof RadixNode node) {
            int ends = depth + node.prefix.length;
            if (ends == key.length) {
                node.value = null;
                size--;
                replaceChild(parent, key, depth, node.collapsed());
                return;
            }
            grandparent = parent;
            parent = node;
            parentDepth = depth;
            at = node.child(key[ends]);
            depth = ends + 1;
        }
        if (at != entry) {
            throw new IllegalStateException("not in the tree: " + entry);
        }
        size--;
        if (parent == null) {
            root = null;
        } else {
            parent.removeChild(key[depth - 1]);
            replaceChild(grandparent, key, parentDepth, parent.collapsed());
        }
    }

    /** Visits entries from {@code from} (inclusive) upwards in key order, until the visitor says false. */
    public void visitFrom(byte[] from, Predicate<? super E> visitor) {
        visit(root, 0, from, visitor);
    }

    /** Visits the entries whose keys are prefixes of {@code key}, itself included, shortest first. */
    public void visitPrefixesOf(byte[] key, Predicate<? super E> visitor) {
        Object at = root;
        int depth = 0;
        while (at instanceof RadixNode node) {
            if (node.matchingPrefix(key, depth) < node.prefix.length) {
                return;
            }
            depth += node.prefix.length;
            E value = entry(node.value);
            if (value != null && !visitor.test(value)) {
                return;
            }
            if (depth == key.length) {
                return;
            }
            at = node.child(key[depth++]);
        }
        E last = entry(at);
        if (last != null && startsWith(key, last.key()) && !visitor.test(last)) {
            return;
        }
    }

    public static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    /** @param from where to start, or null once past it */
    private boolean visit(@Nullable Object at, int depth, byte @Nullable [] from, Predicate<? super E> visitor) {
        if (!(at instanceof RadixNode node)) {
            E leaf = entry(at);
            return leaf == null || (from != null && Arrays.compareUnsigned(leaf.key(), from) < 0) || visitor.test(leaf);
        }
        int ends = depth + node.prefix.length;
        byte[] rest = from;
        if (rest != null) {
            int order = Arrays.compareUnsigned(
                    node.prefix,
                    0,
                    node.prefix.length,
                    rest,
                    Math.min(depth, rest.length),
                    Math.min(ends, rest.length));
            if (order < 0) {
                return true;
            }
            if (order > 0 || ends >= rest.length) {
                rest = null;
            }
        }
        E value = entry(node.value);
        if (value != null && rest == null && !visitor.test(value)) {
            return false;
        }
        return visitChildren(node, ends, rest, visitor);
    }

    private boolean visitChildren(RadixNode node, int ends, byte @Nullable [] from, Predicate<? super E> visitor) {
        int first = from == null ? 0 : node.firstSlotFrom(from[ends]);
        for (int slot = first; slot < node.slots(); slot++) {
            Object child = node.childAt(slot);
            if (child != null) {
                boolean onPath = from != null && node.labelAt(slot) == from[ends];
                if (!visit(child, ends + 1, onPath ? from : null, visitor)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void addBelow(@Nullable RadixNode parent, byte[] key, int depth, E entry) {
        if (parent == null) {
            root = entry;
        } else {
            parent.addChild(key[depth - 1], entry);
        }
    }

    /** Puts {@code child} where the path to {@code depth} of {@code key} leads. */
    private void replaceChild(@Nullable RadixNode parent, byte[] key, int depth, Object child) {
        if (parent == null) {
            root = child;
        } else {
            parent.setChild(key[depth - 1], child);
        }
    }

    private RadixNode fork(E one, E other, int depth) {
        byte[] a = one.key();
        byte[] b = other.key();
        int at = depth + Arrays.mismatch(a, depth, a.length, b, depth, b.length);
        if (at < depth) {
            throw duplicate(other);
        }
        RadixNode node = new RadixNode(RadixNode.slice(a, depth, at));
        node.hang(a, at, one);
        node.hang(b, at, other);
        return node;
    }

    private IllegalStateException duplicate(E entry) {
        return new IllegalStateException("already in the tree: " + entry);
    }

    @SuppressWarnings("unchecked") // only add() puts anything but nodes in, and it takes an E
    private @Nullable E entry(@Nullable Object leaf) {
        return (E) leaf;
    }
}
