package dev.holdfast.server.backup;

import dev.holdfast.core.event.Event;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.snapshot.SnapshotWriter;
import dev.holdfast.server.cluster.DataDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a backup the beginning of a new cluster.
 *
 * <p>Tokens go on above every one that was ever handed out, leases and holds of the backup end, and nothing is granted
 * for as long as a holder from before might still believe in its lease: not only those of the backup, which may be old.
 */
public final class Restore {
    private Restore() {}

    /**
     * What became of a backup.
     *
     * @param quarantineMillis for how long the new cluster grants nothing
     * @param longestTtlMillis the longest TTL in the backup: of its leases, and of those that its history remembers
     */
    public record Outcome(long epoch, long revision, long leasesEnded, long quarantineMillis, long longestTtlMillis) {}

    /**
     * Makes a node's directory out of a backup. Every founder of the new cluster is made so, with the same options.
     *
     * @param above the highest token seen anywhere; 0 if there was no other restore after the backup was taken
     * @param quarantine for how long nothing is granted; null for as long as the backup's limits let a lease last, which
     *     is safe as long as {@code TTL_MAX_MILLIS} was not raised since
     */
    public static Outcome restore(Path backup, Path directory, String name, long above, @Nullable Duration quarantine)
            throws IOException {
        LockMachine machine = Backup.read(backup);
        long leases = machine.view().leaseCount();
        long longestTtl = longestTtl(machine.view());
        machine.beginEpoch(above, quarantine == null ? LockMachine.LONGEST_LEASE : quarantine.toMillis());
        DataDirectory.restore(directory, name, frames(machine.startSnapshot()));
        long quarantineEnd = machine.view().quarantineEndMillis();
        return new Outcome(
                machine.view().epoch(),
                machine.view().revision(),
                leases,
                Math.max(0, quarantineEnd - machine.view().now()),
                longestTtl);
    }

    private static long longestTtl(MachineView backup) {
        long longest = backup.longestLiveLeaseMillis();
        for (long revision = backup.oldestRevision(); revision <= backup.revision(); revision++) {
            if (backup.event(revision) instanceof Event.LeaseStarted started) {
                longest = Math.max(longest, started.ttlMillis());
            }
        }
        return longest;
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
