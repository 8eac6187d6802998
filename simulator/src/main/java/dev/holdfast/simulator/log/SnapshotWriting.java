package dev.holdfast.simulator.log;

import dev.holdfast.consensus.Replica;
import dev.holdfast.simulator.world.SimulatedProcess;
import java.io.ByteArrayOutputStream;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Writes a snapshot frame by frame, while entries go on being applied, and drops the entries it has once it is flushed. */
final class SnapshotWriting {
    private static final int FRAME_NANOS = 2_000_000;

    private final SimulatedProcess process;
    private final Disk disk;
    private final Replica replica;
    private final RandomGenerator chance;
    private Replica.@Nullable Cut cut;
    private boolean flushing;

    SnapshotWriting(SimulatedProcess process, Disk disk, Replica replica) {
        this.process = process;
        this.disk = disk;
        this.replica = replica;
        this.chance = process.world().chance();
    }

    /** Begins with the state after an entry, unless one is being written. */
    void begin(long index, long term) {
        if (cut == null && !flushing) {
            Replica.Cut begun = replica.cut();
            cut = begun;
            go(begun, index, term, new ByteArrayOutputStream());
        }
    }

    private void go(Replica.Cut begun, long index, long term, ByteArrayOutputStream out) {
        if (cut != begun) {
            return;
        }
        byte[] frame = begun.next();
        if (frame == null) {
            abandon();
            flush(new Snapshot(index, term, out.toByteArray()));
        } else {
            out.writeBytes(frame);
            process.arrive(chance.nextInt(FRAME_NANOS), () -> go(begun, index, term, out));
        }
    }

    private void flush(Snapshot written) {
        flushing = true;
        disk.snapshots()
                .write(
                        written,
                        () -> process.arrive(0, () -> {
                            flushing = false;
                            disk.keepNewest();
                            process.world().note(process.name(), () -> "wrote a snapshot of entry " + written.index());
                        }));
    }

    /** Gives up what is being written. */
    void abandon() {
        Replica.Cut begun = cut;
        if (begun != null) {
            cut = null;
            begun.close();
        }
    }
}
