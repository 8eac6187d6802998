package dev.holdfast.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.codec.CodecException;
import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CommandCodecTest {
    private static final LeaseId LEASE = new LeaseId(-17);

    @Test
    void what_is_written_is_read_back() {
        for (Batch batch : batches(200)) {
            assertThat(CommandCodec.decode(CommandCodec.encode(batch))).isEqualTo(batch);
        }
    }

    @Test
    void damaged_bytes_are_refused_or_read_as_something_whole() {
        SplittableRandom random = new SplittableRandom(42);
        for (Batch batch : batches(100)) {
            byte[] bytes = CommandCodec.encode(batch);
            for (int i = 0; i < 50; i++) {
                byte[] damaged = bytes.clone();
                damaged[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
                decodeOrRefuse(damaged);
            }
            for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> CommandCodec.decode(cut)).isInstanceOf(CodecException.class);
            }
        }
    }

    private static void decodeOrRefuse(byte[] bytes) {
        try {
            Batch batch = CommandCodec.decode(bytes);
            assertThat(CommandCodec.decode(CommandCodec.encode(batch))).isEqualTo(batch);
        } catch (CodecException e) {
            assertThat(e).hasMessageMatching("(?s).+");
        }
    }

    @Test
    void unknown_command_is_named() {
        byte[] bytes = CommandCodec.encode(Batch.of(1, 2, 3, List.of(new Command.RevokeLease(LEASE, ""))));
        bytes[6] = 99;
        assertThatThrownBy(() -> CommandCodec.decode(bytes))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("command 99 is not known");
    }

    @Test
    void unknown_version_is_named() {
        byte[] bytes = CommandCodec.encode(Batch.of(1, 2, 3, List.of()));
        bytes[0] = 77;
        assertThatThrownBy(() -> CommandCodec.decode(bytes))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("version 77");
    }

    @Test
    void what_could_not_be_read_back_is_not_written() {
        Command.GrantLease tooLong = new Command.GrantLease(LEASE, "p".repeat(70_000), "c", 1000, 0);
        assertThatThrownBy(() -> CommandCodec.encode(Batch.of(1, 2, 3, List.of(tooLong))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("principal: 70000 is above");
    }

    /** A log that repairs torn writes takes such a run for one. */
    @Test
    void no_field_makes_a_run_of_512_zeros() {
        LockKey zeros = LockKey.ofUtf8(new byte[1_024]);
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            items.add(Item.exclusive(zeros));
        }
        Command.Acquire acquire = new Command.Acquire(
                new LeaseId(1),
                "\0".repeat(60_000),
                0,
                0,
                items,
                0,
                0,
                0,
                0,
                false,
                "\0".repeat(60_000),
                Metadata.of(new byte[65_536]));
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            commands.add(acquire);
            commands.add(new Command.Cancel(new LeaseId(1), "", 0, 0));
        }
        byte[] bytes = CommandCodec.encode(Batch.of(0, 0, 0, commands));
        int run = 0;
        int longest = 0;
        for (byte each : bytes) {
            run = each == 0 ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        assertThat(longest).isLessThan(512);
    }

    private static List<Batch> batches(int count) {
        List<Batch> batches = new ArrayList<>();
        for (long seed = 1; batches.size() < count; seed++) {
            Machine model = new NaiveMachine();
            CommandGenerator generator = new CommandGenerator(seed, model.image());
            for (int i = 0; i < 20; i++) {
                CommandGenerator.Step step = generator.next(model.image());
                Duel.play(step, model);
                if (step instanceof CommandGenerator.Entry entry) {
                    batches.add(entry.batch());
                }
            }
        }
        return batches;
    }
}
