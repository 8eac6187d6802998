package dev.holdfast.transcript.player;

import dev.holdfast.core.command.Batch;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.snapshot.SnapshotReader;
import dev.holdfast.core.snapshot.SnapshotWriter;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Queue;

/** One member of the cluster: a machine, and what it has missed while it was stopped. */
final class Replica {
    /** Small and odd, so that what is read back is cut at every kind of place. */
    private static final int PIECE = 7;

    private LockMachine machine = new LockMachine();
    private final Queue<Missed> missed = new ArrayDeque<>();
    private boolean running = true;

    private record Missed(long term, Batch batch) {}

    LockMachine machine() {
        return machine;
    }

    boolean isRunning() {
        return running;
    }

    void stop() {
        running = false;
    }

    /** Goes on from where it stopped; says how many entries it had missed. */
    int catchUp() {
        running = true;
        int entries = missed.size();
        while (!missed.isEmpty()) {
            Missed next = missed.remove();
            machine.apply(next.term, next.batch);
        }
        return entries;
    }

    Applied apply(long term, Batch batch) {
        return machine.apply(term, batch);
    }

    void miss(long term, Batch batch) {
        missed.add(new Missed(term, batch));
    }

    byte[] snapshot() {
        return drain(machine.startSnapshot());
    }

    /** Becomes what the bytes say. */
    void load(byte[] snapshot) {
        machine = machineOf(snapshot);
        missed.clear();
        running = true;
    }

    static byte[] drain(SnapshotWriter writer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] frame = writer.next(); frame != null; frame = writer.next()) {
            bytes.writeBytes(frame);
        }
        return bytes.toByteArray();
    }

    static LockMachine machineOf(byte[] snapshot) {
        SnapshotReader reader = new SnapshotReader();
        byte[] piece = new byte[PIECE];
        for (int at = 0; at < snapshot.length; at += PIECE) {
            int length = Math.min(PIECE, snapshot.length - at);
            System.arraycopy(snapshot, at, piece, 0, length);
            reader.feed(piece, length);
        }
        return LockMachine.load(reader);
    }
}
