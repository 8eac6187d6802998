package dev.holdfast.core.event;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.index.RadixTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the watches that an event is for, by key and by prefix, without looking at the others.
 *
 * <p>Not part of the replicated state: a watch belongs to a connection. {@code W} is whatever its host
 * calls a watch; the same one may watch several keys and is found once per event.
 */
public final class WatchIndex<W> {
    private final RadixTree<Watched<W>> keys = new RadixTree<>();
    private final RadixTree<Watched<W>> prefixes = new RadixTree<>();

    private static final class Watched<W> implements RadixTree.Entry {
        private final byte[] path;
        private final List<W> watches = new ArrayList<>(1);

        Watched(byte[] path) {
            this.path = path;
        }

        @Override
        public byte[] key() {
            return path;
        }
    }

    public void addKey(String key, W watch) {
        add(keys, key, watch);
    }

    /** The empty prefix watches every key. */
    public void addPrefix(String prefix, W watch) {
        add(prefixes, prefix, watch);
    }

    public void removeKey(String key, W watch) {
        remove(keys, key, watch);
    }

    public void removePrefix(String prefix, W watch) {
        remove(prefixes, prefix, watch);
    }

    /** Calls back once for each watch on a key of the event, in the order in which they are found. */
    public void match(Event event, Consumer<W> found) {
        if (!(event instanceof Event.OfLocks ofLocks) || (keys.isEmpty() && prefixes.isEmpty())) {
            return;
        }
        Set<W> seen = new LinkedHashSet<>();
        @Nullable LockKey last = null;
        for (Hold hold : ofLocks.holds()) {
            // The permits of a semaphore follow each other, and may be thousands.
            if (last != null && hold.key().equals(last)) {
                continue;
            }
            last = hold.key();
            byte[] path = hold.key().utf8();
            Watched<W> exact = keys.get(path);
            if (exact != null) {
                seen.addAll(exact.watches);
            }
            prefixes.visitPrefixesOf(path, watched -> {
                seen.addAll(watched.watches);
                return true;
            });
        }
        seen.forEach(found);
    }

    private static <W> void add(RadixTree<Watched<W>> index, String path, W watch) {
        byte[] utf8 = path.getBytes(StandardCharsets.UTF_8);
        Watched<W> watched = index.get(utf8);
        if (watched == null) {
            watched = new Watched<>(utf8);
            index.add(watched);
        }
        watched.watches.add(watch);
    }

    private static <W> void remove(RadixTree<Watched<W>> index, String path, W watch) {
        Watched<W> watched = index.get(path.getBytes(StandardCharsets.UTF_8));
        if (watched != null && watched.watches.remove(watch) && watched.watches.isEmpty()) {
            index.remove(watched);
        }
    }
}
