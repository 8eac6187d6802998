package dev.holdfast.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.codec.ByteWriter;
import dev.holdfast.core.codec.CodecException;
import dev.holdfast.core.codec.ImageCodec;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.image.LockImage;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.query.LockView;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.snapshot.SnapshotReader;
import dev.holdfast.core.snapshot.SnapshotWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SnapshotTest {
    private static final int SEEDS = 100;
    private static final int LEASE = 4;
    private static final int LOCK = 5;
    private static final int REQUEST = 6;
    private static final int END = 7;

    /** In the first frame: behind the type of the record, the magic number and the format. */
    private static final int HEADER_START = 1 + Integer.BYTES + 1;

    /** A machine that the generator plays to. */
    private static final class Played implements Machine {
        final LockMachine machine = new LockMachine();
        final CommandGenerator generator;

        Played(long seed) {
            generator = new CommandGenerator(seed, machine.image());
        }

        void steps(int count) {
            for (int i = 0; i < count; i++) {
                Duel.play(generator.next(machine.image()), this);
            }
        }

        @Override
        public Applied apply(long entryTerm, Batch batch) {
            return machine.apply(entryTerm, batch);
        }

        @Override
        public StateImage image() {
            return machine.image();
        }

        @Override
        public Applied beginEpoch(long highestTokenSeen, long quarantineMillis) {
            return machine.beginEpoch(highestTokenSeen, quarantineMillis);
        }
    }

    @Test
    void what_is_written_while_the_machine_goes_on_is_the_state_at_the_cut() {
        long pieces = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Played played = new Played(seed);
            played.steps(60 + (int) seed);
            byte[] atTheCut = Snapshots.write(played.machine, 64);
            long[] count = {0};
            byte[] meanwhile = Snapshots.writeAll(played.machine.startSnapshot(64), () -> {
                played.steps(1);
                count[0]++;
            });
            assertThat(meanwhile).as("seed %d", seed).isEqualTo(atTheCut);
            pieces += count[0];
        }
        assertThat(pieces).as("entries applied while snapshots were written").isGreaterThan(10L * SEEDS);
    }

    @Test
    void equal_states_give_equal_bytes_whatever_their_past() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Played played = new Played(seed);
            played.steps(150);
            byte[] written = Snapshots.write(played.machine, 500);
            assertThat(Snapshots.write(Snapshots.read(written), 500)).isEqualTo(written);
        }
    }

    @Test
    void lost_holder_keeps_its_name_when_its_lease_id_was_used_again() {
        LockMachine machine = new LockMachine();
        LeaseId id = new LeaseId(5);
        LockKey key = LockKey.of("a");
        apply(machine, 0, new Command.SetLimit(Limit.TOMBSTONE_MILLIS, 1_000));
        apply(machine, 0, new Command.GrantLease(id, "", "first", 1_000, 60_000));
        apply(machine, 0, Command.Acquire.of(id, "", 1, 1, List.of(Item.exclusive(key))));
        apply(machine, 2_000, new Command.SetLimit(Limit.TTL_MIN_MILLIS, 1_000));
        apply(machine, 4_000, new Command.GrantLease(id, "", "second", 1_000, 0));
        LockMachine copy = Snapshots.read(Snapshots.write(machine, 500));
        assertThat(copy.view().lock(key).orElseThrow().holders())
                .extracting(LockView.Holder::clientId)
                .containsExactly("first");
        assertThat(copy.image()).isEqualTo(machine.image());
    }

    private static void apply(LockMachine machine, long now, Command command) {
        machine.apply(1, Batch.of(1, now, 0, List.of(command)));
    }

    @Test
    void snapshot_may_be_fed_in_pieces_of_any_size() {
        Played played = new Played(7);
        played.steps(120);
        byte[] written = Snapshots.write(played.machine, 300);
        SnapshotReader reader = new SnapshotReader();
        for (int at = 0; at < written.length; at += 13) {
            byte[] piece = Arrays.copyOfRange(written, at, Math.min(written.length, at + 13));
            reader.feed(piece, piece.length);
        }
        assertThat(LockMachine.load(reader).image()).isEqualTo(played.machine.image());
    }

    @Test
    void every_flipped_bit_is_noticed() {
        Played played = new Played(3);
        played.steps(80);
        byte[] written = Snapshots.write(played.machine, 300);
        for (int at = 0; at < written.length; at++) {
            byte[] damaged = written.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            assertThatThrownBy(() -> Snapshots.read(damaged)).as("byte %d", at).isInstanceOf(CodecException.class);
        }
    }

    @Test
    void every_cut_is_noticed() {
        Played played = new Played(4);
        played.steps(80);
        byte[] written = Snapshots.write(played.machine, 300);
        for (int length = 0; length < written.length; length++) {
            byte[] cut = Arrays.copyOf(written, length);
            assertThatThrownBy(() -> Snapshots.read(cut)).as("%d bytes", length).isInstanceOf(CodecException.class);
        }
    }

    @Test
    void foreign_bytes_are_refused_with_a_reason() {
        byte[] text = "this is a text file and no snapshot".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertThatThrownBy(() -> Snapshots.read(text))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("snapshot");
    }

    @Test
    void snapshot_of_another_format_is_refused_with_a_reason() {
        byte[] written = Snapshots.write(new LockMachine(), 1);
        byte[] payload = Arrays.copyOfRange(written, Integer.BYTES, Integer.BYTES + payloadLength(written));
        payload[HEADER_START - 1] = 2;
        assertThatThrownBy(() -> Snapshots.read(frame(payload)))
                .isInstanceOf(CodecException.class)
                .hasMessage("snapshot: format 2 is not known; this version reads 3");
    }

    @Test
    void a_state_that_cannot_be_is_refused_though_its_checksum_is_right() {
        StateImage whole = oneGrantOfTwoKeys().image();
        LockImage first = whole.locks().get(0);
        LockImage second = whole.locks().get(1);
        RequestImage grant = first.requests().get(0);
        assertRefused(
                "names lease",
                List.of(
                        out -> put(out, LOCK, () -> ImageCodec.put(out, first)),
                        out -> put(out, REQUEST, () -> ImageCodec.put(out, grant, first.key()))));
        assertRefused(
                "which has no record",
                List.of(
                        out -> put(
                                out,
                                LEASE,
                                () -> ImageCodec.put(out, whole.leases().get(0))),
                        out -> put(out, LOCK, () -> ImageCodec.put(out, first)),
                        out -> put(out, REQUEST, () -> ImageCodec.put(out, grant, first.key())),
                        out -> put(out, END, () -> List.of(1, 1, 1).forEach(out::putUnsigned))));
        assertRefused(
                "the first of its keys",
                List.of(
                        out -> put(
                                out,
                                LEASE,
                                () -> ImageCodec.put(out, whole.leases().get(0))),
                        out -> put(out, LOCK, () -> ImageCodec.put(out, second)),
                        out -> put(out, REQUEST, () -> ImageCodec.put(out, grant, second.key()))));
        assertRefused(
                "record 6 after 4",
                List.of(
                        out -> put(
                                out,
                                LEASE,
                                () -> ImageCodec.put(out, whole.leases().get(0))),
                        out -> put(out, REQUEST, () -> ImageCodec.put(out, grant, first.key()))));
        assertRefused(
                "two records",
                List.of(
                        out -> put(out, LOCK, () -> ImageCodec.put(out, first)),
                        out -> put(out, LOCK, () -> ImageCodec.put(out, first))));
        assertRefused(
                "other counts",
                List.of(
                        out -> put(out, LOCK, () -> ImageCodec.put(out, first)),
                        out -> put(out, END, () -> List.of(0, 1, 1).forEach(out::putUnsigned))));
    }

    private static LockMachine oneGrantOfTwoKeys() {
        LockMachine machine = new LockMachine();
        List<Item> items = List.of(Item.exclusive(LockKey.of("a")), Item.exclusive(LockKey.of("b")));
        apply(machine, 0, new Command.GrantLease(new LeaseId(1), "", "client", 10_000, 0));
        apply(machine, 0, Command.Acquire.of(new LeaseId(1), "", 1, 0, items));
        return machine;
    }

    private static void put(ByteWriter out, int recordType, Runnable record) {
        out.putByte(recordType);
        record.run();
    }

    /** Records behind a header, in one frame whose checksum is right. */
    private static void assertRefused(String reason, List<Consumer<ByteWriter>> records) {
        LockMachine machine = oneGrantOfTwoKeys();
        ByteWriter out = new ByteWriter(256);
        out.putRaw(Arrays.copyOfRange(Snapshots.write(machine, 256), Integer.BYTES, Integer.BYTES + HEADER_START));
        ImageCodec.put(out, machine.image().header());
        records.forEach(record -> record.accept(out));
        byte[] frame = frame(out.toByteArray());
        assertThatThrownBy(() -> Snapshots.read(frame))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining(reason);
    }

    private static int payloadLength(byte[] written) {
        return ByteBuffer.wrap(written).getInt();
    }

    private static byte[] frame(byte[] payload) {
        CRC32C checksum = new CRC32C();
        checksum.update(payload);
        return ByteBuffer.allocate(payload.length + 2 * Integer.BYTES)
                .putInt(payload.length)
                .put(payload)
                .putInt((int) checksum.getValue())
                .array();
    }

    @Test
    void only_one_snapshot_is_written_at_a_time_and_one_can_be_given_up() {
        LockMachine machine = new LockMachine();
        SnapshotWriter first = machine.startSnapshot();
        assertThatThrownBy(machine::startSnapshot).isInstanceOf(IllegalStateException.class);
        first.abandon();
        assertThat(machine.startSnapshot().next()).isNotNull();
    }
}
