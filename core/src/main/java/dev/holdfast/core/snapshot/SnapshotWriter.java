package dev.holdfast.core.snapshot;

import dev.holdfast.core.codec.ByteWriter;
import dev.holdfast.core.codec.ImageCodec;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.image.HeaderImage;
import dev.holdfast.core.state.Images;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Tombstones;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the state as it was at one moment, in frames, while the machine goes on.
 *
 * <p>Nothing is copied at that moment but the few scalars and the references of the event ring. From then
 * on the machine tells this writer of every lock, request and lease before it changes it the first time, and the
 * writer keeps the old bytes of those it has not written yet. So what is written is the state at the
 * cut, in key order, and depends on nothing that came later.
 *
 * <p>The caller makes sure that {@link #next} and the machine's own methods run one at a time; a frame
 * takes well under a millisecond.
 */
public final class SnapshotWriter implements State.Preserver {
    /** How much to put into a frame before it is handed out: little enough to be quick before the code is warm. */
    private static final int FRAME_BYTES = 16 * 1024;

    /** How many steps to take before the machine gets its turn, frame or not. */
    private static final int MAX_STEPS = 2_000;

    private static final byte[] NOTHING_YET = {};

    private final State state;
    private final int number;
    private final int frameBytes;
    private final ByteWriter out;
    private final Frames.Digest digest = new Frames.Digest();
    private final HeaderImage header;
    private final List<Event> events;
    private Tombstones.@Nullable Tombstone stone;
    private final Tombstones.@Nullable Tombstone lastStone;
    private final KeptImages<Lease> leases;
    private final KeptLocks locks;
    private int nextEvent;
    private Phase phase = Phase.HEADER;

    private enum Phase {
        HEADER,
        TOMBSTONES,
        EVENTS,
        LEASES,
        LOCKS,
        END,
        DONE
    }

    private SnapshotWriter(State state, int frameBytes) {
        this.state = state;
        this.frameBytes = frameBytes;
        this.out = new ByteWriter(frameBytes + frameBytes / 4);
        this.header = Images.of(state);
        this.events = state.history().toList();
        this.stone = state.tombstones().oldest();
        this.lastStone = state.tombstones().youngest();
        this.number = state.startPreserving(this);
        this.leases = new KeptImages<>(
                state.leases(),
                lease -> lease.preservedIn() == number,
                (to, lease) -> ImageCodec.put(to, Images.of(lease)));
        this.locks = new KeptLocks(state, number);
    }

    /** Cuts here: what is written is the state as it is now. */
    public static SnapshotWriter cut(State state) {
        return cut(state, FRAME_BYTES);
    }

    /** The same with smaller or larger frames: the records in them do not change. */
    public static SnapshotWriter cut(State state, int frameBytes) {
        return new SnapshotWriter(state, frameBytes);
    }

    /**
     * The next bytes of the snapshot, mostly one frame; none where much has changed since the cut and a
     * frame is not full yet; null when all is written.
     */
    public byte @Nullable [] next() {
        if (phase == Phase.DONE) {
            return null;
        }
        int steps = 0;
        while (out.size() < frameBytes && phase != Phase.DONE) {
            if (steps++ == MAX_STEPS) {
                return NOTHING_YET;
            }
            writeOne();
        }
        byte[] payload = out.toByteArray();
        out.clear();
        digest.add(payload);
        return Frames.wrap(payload);
    }

    /** Ends a snapshot that is not wanted any more. */
    public void abandon() {
        if (phase != Phase.DONE) {
            phase = Phase.DONE;
            state.stopPreserving();
        }
    }

    /** A number that differs, all but surely, for states that differ; known when all is written. */
    public long hash() {
        if (phase != Phase.DONE) {
            throw new IllegalStateException("the snapshot is not written yet");
        }
        return digest.value();
    }

    @Override
    public void beforeChange(Lock lock) {
        if (lock.preservedIn() != number) {
            locks.keep(lock);
            lock.markPreservedIn(number);
        }
    }

    @Override
    public void beforeChange(Request request) {
        locks.keep(request);
    }

    @Override
    public void beforeChange(Lease lease) {
        if (lease.preservedIn() != number) {
            leases.keep(lease);
            lease.markPreservedIn(number);
        }
    }

    private void writeOne() {
        switch (phase) {
            case HEADER -> {
                StateHash.putHeader(out, header);
                phase = Phase.TOMBSTONES;
            }
            case TOMBSTONES -> writeStone();
            case EVENTS -> {
                if (nextEvent < events.size()) {
                    out.putByte(Frames.EVENT);
                    ImageCodec.put(out, events.get(nextEvent++));
                } else {
                    phase = Phase.LEASES;
                }
            }
            case LEASES -> {
                if (leases.isDone()) {
                    phase = Phase.LOCKS;
                } else {
                    leases.writeNext(out, Frames.LEASE);
                }
            }
            case LOCKS -> {
                if (locks.isDone()) {
                    phase = Phase.END;
                } else {
                    locks.writeNext(out);
                }
            }
            case END -> {
                StateHash.putEnd(out, leases.written(), locks.lockCount(), locks.requestCount());
                phase = Phase.DONE;
                state.stopPreserving();
            }
            case DONE -> throw new IllegalStateException("all is written");
        }
    }

    private void writeStone() {
        Tombstones.Tombstone next = stone;
        if (next == null) {
            phase = Phase.EVENTS;
            return;
        }
        out.putByte(Frames.TOMBSTONE);
        ImageCodec.put(out, Images.of(next));
        stone = next == lastStone ? null : next.younger();
    }
}
