package dev.holdfast.core.model;

import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.snapshot.SnapshotReader;
import dev.holdfast.core.snapshot.SnapshotWriter;
import java.io.ByteArrayOutputStream;

/** Writes and reads whole snapshots. */
final class Snapshots {
    private Snapshots() {}

    static byte[] write(LockMachine machine, int frameBytes) {
        return writeAll(machine.startSnapshot(frameBytes), () -> {});
    }

    /** @param between what happens between two pieces */
    static byte[] writeAll(SnapshotWriter writer, Runnable between) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] piece = writer.next();
        while (piece != null) {
            bytes.writeBytes(piece);
            between.run();
            piece = writer.next();
        }
        return bytes.toByteArray();
    }

    static LockMachine read(byte[] snapshot) {
        return read(snapshot, KeyedHash.OPEN);
    }

    static LockMachine read(byte[] snapshot, KeyedHash hash) {
        SnapshotReader reader = new SnapshotReader(hash);
        reader.feed(snapshot, snapshot.length);
        return LockMachine.load(reader);
    }
}
