package dev.holdfast.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.snapshot.SnapshotWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No record of a snapshot, and no step of writing one, grows with the number of those who want the same keys. */
class SnapshotBytesTest {
    /** Behind what ADR 20 says of answers and events. */
    private static final int BOUND = 128 * 1024;

    private static final int WAITERS = 2_000;
    private static final LeaseId LEASE = new LeaseId(1);

    private final LockMachine machine = new LockMachine();
    private long seq;

    private void apply(List<Command> commands) {
        machine.apply(1, new Batch(1, 0, 0, new long[0], commands));
    }

    private Command acquire(List<Item> items, String purpose, Metadata metadata) {
        seq++;
        return new Command.Acquire(LEASE, "", seq, seq, items, 0, 0, Command.WAIT_FOREVER, 0, false, purpose, metadata);
    }

    private static List<Item> longKeys() {
        int keyBytes = (int) Limit.KEY_BYTES.initial();
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < Limit.KEYS_PER_REQUEST.initial(); i++) {
            items.add(Item.exclusive(LockKey.of((char) ('!' + i) + "k".repeat(keyBytes - 1))));
        }
        return items;
    }

    private void crowd() {
        apply(List.of(new Command.GrantLease(LEASE, "", "c", 10_000, 0)));
        String purpose = "p".repeat((int) Limit.PURPOSE_BYTES.initial());
        Metadata metadata = Metadata.of(new byte[(int) Limit.METADATA_BYTES.initial()]);
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < WAITERS + 1; i++) {
            commands.add(acquire(longKeys(), purpose, metadata));
        }
        apply(commands);
    }

    @Test
    void record_of_very_many_who_wait_for_the_same_long_keys_is_small() {
        crowd();
        long whole = 0;
        int largest = 0;
        // As soon as a frame has one byte it is handed out: each is one record.
        SnapshotWriter writer = machine.startSnapshot(1);
        for (byte[] record = writer.next(); record != null; record = writer.next()) {
            largest = Math.max(largest, record.length);
            whole += record.length;
        }
        assertThat(whole).isGreaterThan(32L * 1024 * WAITERS);
        assertThat(largest).isLessThanOrEqualTo(BOUND);
    }

    @Test
    void what_is_kept_for_the_snapshot_when_one_of_them_changes_is_small() {
        crowd();
        SnapshotWriter writer = machine.startSnapshot(1);
        apply(List.of(new Command.Cancel(LEASE, "", 2, 0)));
        int largest = 0;
        for (byte[] record = writer.next(); record != null; record = writer.next()) {
            largest = Math.max(largest, record.length);
        }
        assertThat(largest).isLessThanOrEqualTo(BOUND);
    }
}
