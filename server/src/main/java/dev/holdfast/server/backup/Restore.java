package dev.holdfast.server.backup;

import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.snapshot.SnapshotWriter;
import dev.holdfast.server.cluster.DataDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a backup the beginning of a new cluster.
 *
 * <p>Tokens go on above every one that was ever handed out, leases and holds of the backup end, and nothing is granted
 * for as long as a holder from before might still believe in its lease.
 */
public final class Restore {
    private Restore() {}

    /** What became of a backup. */
    public record Outcome(long epoch, long revision, long leasesEnded, long quarantineMillis) {}

    /**
     * Makes a node's directory out of a backup. Every founder of the new cluster is made so, with the same options.
     *
     * @param above the highest token seen anywhere; 0 if the backup is surely the newest state
     */
    public static Outcome restore(Path backup, Path directory, String name, long above, boolean quarantine)
            throws IOException {
        LockMachine machine = Backup.read(backup);
        long leases = machine.view().leaseCount();
        machine.beginEpoch(above, quarantine);
        DataDirectory.restore(directory, name, frames(machine.startSnapshot()));
        long quarantineEnd = machine.view().quarantineEndMillis();
        return new Outcome(
                machine.view().epoch(),
                machine.view().revision(),
                leases,
                Math.max(0, quarantineEnd - machine.view().now()));
    }

    private static Iterator<byte[]> frames(SnapshotWriter writer) {
        return new Iterator<>() {
            private byte @Nullable [] next = writer.next();

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public byte[] next() {
                byte[] frame = next;
                if (frame == null) {
                    throw new NoSuchElementException();
                }
                next = writer.next();
                return frame;
            }
        };
    }
}
