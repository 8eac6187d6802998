package dev.holdfast.core.snapshot;

import dev.holdfast.core.codec.ByteWriter;
import dev.holdfast.core.codec.ImageCodec;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Images;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks on their way into a snapshot, by key, each followed by the requests whose first key it is: as they are, or,
 * for those that changed since the cut, as they were then.
 *
 * <p>Each request is a record of its own, so that no record and no step grows with the number of those who hold or
 * await a lock. What one entry makes this keep is not bounded but by what the entry changes.
 */
final class KeptLocks {
    private static final int LOOK_AHEAD = 256;

    private final State state;
    private final int snapshot;

    /** Requests of a later revision came, or were granted, after the cut. */
    private final long cutRevision;

    /** What was at the cut, has changed since and is not written yet. */
    private final TreeMap<Place, byte[]> kept = new TreeMap<>(Place.ORDER);

    /** The requests among them, so that they are not written as they are. Never iterated. */
    private final Set<Request> changed = new HashSet<>();

    /** The next locks of the table. What becomes of them meanwhile does not matter: they say if they changed. */
    private final ArrayDeque<Lock> ahead = new ArrayDeque<>();

    /** The lock whose record, or whose requests, are next; null between two locks. */
    private @Nullable Lock lock;

    /** Everything before it is written, or kept. */
    private Place position = new Place(new byte[0], Stage.RECORD, Long.MIN_VALUE);

    private boolean tableDone;
    private long lockCount;
    private long requestCount;

    KeptLocks(State state, int snapshot) {
        this.state = state;
        this.snapshot = snapshot;
        this.cutRevision = state.revision();
    }

    /** The parts of a lock, in the order in which they are written. */
    private enum Stage {
        RECORD,
        HOLDERS,
        WAITERS
    }

    /** Where something stands in a snapshot. */
    private static final class Place {
        private static final Comparator<Place> ORDER = Comparator.<Place, byte[]>comparing(
                        place -> place.key, Arrays::compareUnsigned)
                .thenComparing(place -> place.stage)
                .thenComparingLong(place -> place.rank);

        private final byte[] key;
        private final Stage stage;
        private final long rank;

        Place(byte[] key, Stage stage, long rank) {
            this.key = key;
            this.stage = stage;
            this.rank = rank;
        }

        boolean isBefore(Place other) {
            return ORDER.compare(this, other) < 0;
        }

        static Place of(Lock lock) {
            return new Place(lock.key(), Stage.RECORD, Long.MIN_VALUE);
        }

        static Place of(Request request) {
            Stage stage = request.isHeld() ? Stage.HOLDERS : Stage.WAITERS;
            return new Place(request.lock().key(), stage, request.rank());
        }
    }

    /** Called before the lock changes for the first time since the cut. */
    void keep(Lock changing) {
        Place place = Place.of(changing);
        if (!place.isBefore(position)) {
            ByteWriter image = new ByteWriter(128);
            put(image, changing);
            kept.put(place, image.toByteArray());
        }
    }

    /** Called before a request changes. */
    void keep(Request changing) {
        if (changing.revision() > cutRevision) {
            return;
        }
        Place place = Place.of(changing);
        if (!place.isBefore(position) && changed.add(changing)) {
            ByteWriter image = new ByteWriter(128);
            put(image, changing);
            kept.put(place, image.toByteArray());
        }
    }

    boolean isDone() {
        return tableDone && lock == null && ahead.isEmpty() && kept.isEmpty();
    }

    long lockCount() {
        return lockCount;
    }

    long requestCount() {
        return requestCount;
    }

    /** Goes one step: writes one record, or passes over something that has changed. */
    void writeNext(ByteWriter out) {
        Object next = next();
        Map.Entry<Place, byte[]> old = kept.firstEntry();
        if (old != null && (next == null || old.getKey().isBefore(position))) {
            out.putRaw(old.getValue());
            count(old.getKey().stage);
            kept.pollFirstEntry();
        } else if (next instanceof Lock unwritten) {
            position = new Place(unwritten.key(), Stage.HOLDERS, Long.MIN_VALUE);
            if (unwritten.preservedIn() != snapshot) {
                put(out, unwritten);
                count(Stage.RECORD);
            }
        } else if (next instanceof Claim claim) {
            position = new Place(position.key, position.stage, claim.request().rank() + 1);
            // A request of several claims is written once, with the first of its keys.
            if (claim instanceof Request request && request.revision() <= cutRevision && !changed.remove(request)) {
                put(out, request);
                count(position.stage);
            }
        }
    }

    /** The next lock or claim of the table, after which {@link #position} is just before it; null if there is none. */
    private @Nullable Object next() {
        while (true) {
            Lock at = lock == null ? nextLock() : lock;
            if (at == null) {
                return null;
            }
            Claim claim = switch (position.stage) {
                case RECORD -> null;
                case HOLDERS -> at.holderFrom(position.rank);
                case WAITERS -> at.waiterFrom(position.rank);
            };
            if (position.stage == Stage.RECORD) {
                return at;
            } else if (claim != null) {
                position =
                        new Place(position.key, position.stage, claim.request().rank());
                return claim;
            } else if (position.stage == Stage.HOLDERS) {
                position = new Place(position.key, Stage.WAITERS, Long.MIN_VALUE);
            } else {
                lock = null;
                position = new Place(successor(position.key), Stage.RECORD, Long.MIN_VALUE);
            }
        }
    }

    private @Nullable Lock nextLock() {
        if (!tableDone && ahead.isEmpty()) {
            state.locks().visitFrom(position.key, found -> {
                ahead.add(found);
                return ahead.size() < LOOK_AHEAD;
            });
            tableDone = ahead.size() < LOOK_AHEAD;
        }
        lock = ahead.poll();
        if (lock != null) {
            position = Place.of(lock);
        }
        return lock;
    }

    private void count(Stage stage) {
        if (stage == Stage.RECORD) {
            lockCount++;
        } else {
            requestCount++;
        }
    }

    private static void put(ByteWriter out, Lock lock) {
        out.putByte(Frames.LOCK);
        ImageCodec.put(out, Images.alone(lock));
    }

    private static void put(ByteWriter out, Request request) {
        out.putByte(Frames.REQUEST);
        ImageCodec.put(out, Images.of(request), request.key());
    }

    private static byte[] successor(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }
}
