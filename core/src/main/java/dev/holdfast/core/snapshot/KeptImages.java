package dev.holdfast.core.snapshot;

import dev.holdfast.core.codec.ByteWriter;
import dev.holdfast.core.index.RadixTree;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One table on its way into a snapshot, in key order: entries as they are, or, for those that changed
 * since the cut, as they were then.
 */
final class KeptImages<E extends RadixTree.Entry> {
    private static final int LOOK_AHEAD = 256;

    private final RadixTree<E> table;
    private final Predicate<E> changedSinceCut;
    private final BiConsumer<ByteWriter, E> encoder;

    /** What entries were at the cut that have changed since and are not written yet. */
    private final TreeMap<byte[], byte[]> kept = new TreeMap<>(Arrays::compareUnsigned);

    /** The next entries of the table. What becomes of them meanwhile does not matter: they say if they changed. */
    private final ArrayDeque<E> ahead = new ArrayDeque<>();

    /** Everything below is written, or kept. */
    private byte[] position = {};

    private boolean tableDone;
    private long written;

    KeptImages(RadixTree<E> table, Predicate<E> changedSinceCut, BiConsumer<ByteWriter, E> encoder) {
        this.table = table;
        this.changedSinceCut = changedSinceCut;
        this.encoder = encoder;
    }

    /** Called before the entry changes for the first time since the cut. */
    void keep(E entry) {
        if (Arrays.compareUnsigned(entry.key(), position) >= 0) {
            ByteWriter image = new ByteWriter(128);
            encoder.accept(image, entry);
            kept.put(entry.key(), image.toByteArray());
        }
    }

    boolean isDone() {
        return tableDone && ahead.isEmpty() && kept.isEmpty();
    }

    long written() {
        return written;
    }

    /** Goes one step: writes one image, or passes over entries that have changed. */
    void writeNext(ByteWriter out, int recordType) {
        E entry = ahead.isEmpty() ? lookAhead() : ahead.getFirst();
        Map.Entry<byte[], byte[]> old = kept.firstEntry();
        if (old != null && (entry == null || Arrays.compareUnsigned(old.getKey(), entry.key()) < 0)) {
            out.putByte(recordType);
            out.putRaw(old.getValue());
            kept.pollFirstEntry();
            written++;
        } else if (entry != null) {
            ahead.removeFirst();
            position = successor(entry.key());
            if (!changedSinceCut.test(entry)) {
                out.putByte(recordType);
                encoder.accept(out, entry);
                written++;
            }
        }
    }

    private @Nullable E lookAhead() {
        if (!tableDone) {
            table.visitFrom(position, entry -> {
                ahead.add(entry);
                return ahead.size() < LOOK_AHEAD;
            });
            tableDone = ahead.size() < LOOK_AHEAD;
        }
        return ahead.peekFirst();
    }

    private static byte[] successor(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }
}
