package dev.holdfast.guard.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.InvalidAccessException;
import dev.holdfast.guard.Marks;
import dev.holdfast.guard.OutOfOrderException;
import dev.holdfast.guard.StaleTokenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A guarded file through its whole life: holders, restarts, crashes. */
@Timeout(60)
class GuardedFileTest {
    @TempDir
    Path root;

    private Path data;
    private GuardedFile file;

    @BeforeEach
    void begin() {
        data = root.resolve("orders.txt");
        file = restarted();
    }

    /** Nothing is kept in the object: another one is what a restart leaves. */
    private GuardedFile restarted() {
        return new GuardedFile(data, "orders");
    }

    @Test
    void holder_reads_replaces_and_adds() throws Exception {
        assertThat(file.read(exclusive(33))).isEmpty();
        file.replace(exclusive(33), bytes("one\n"));
        file.append(exclusive(33), bytes("two\n"));
        assertThat(file.read(exclusive(33))).hasValue(bytes("one\ntwo\n"));
        assertThat(data).hasContent("one\ntwo\n");
    }

    @Test
    void stale_holder_neither_reads_nor_writes_after_any_restart() throws Exception {
        file.replace(exclusive(34), bytes("new"));
        for (GuardedFile any : List.of(file, restarted())) {
            assertThatThrownBy(() -> any.read(exclusive(33))).isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> any.replace(exclusive(33), bytes("old"))).isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> any.append(exclusive(33), bytes("old")))
                    .isInstanceOfSatisfying(
                            StaleTokenException.class,
                            stale -> assertThat(stale.highest()).isEqualTo(34));
        }
        assertThat(data).hasContent("new");
    }

    @Test
    void reading_is_entering() throws Exception {
        file.read(exclusive(34));
        assertThatThrownBy(() -> restarted().replace(exclusive(33), bytes("old")))
                .isInstanceOf(StaleTokenException.class);
        file.read(Access.shared("orders", 36));
        file.read(Access.shared("orders", 35));
        assertThatThrownBy(() -> restarted().append(exclusive(35), bytes("old")))
                .isInstanceOf(StaleTokenException.class);
        assertThat(data).doesNotExist();
    }

    @Test
    void what_is_not_for_this_file_is_refused_by_name() {
        assertThatThrownBy(() -> file.replace(Access.exclusive("customers", 33), bytes("x")))
                .isInstanceOf(InvalidAccessException.class)
                .hasMessageContainingAll("key: ", "'orders'", "'customers'");
        assertThatThrownBy(() -> file.replace(Access.shared("orders", 33), bytes("x")))
                .isInstanceOf(InvalidAccessException.class)
                .hasMessageStartingWith("mode: ");
        assertThatThrownBy(() -> file.read(Access.permit("orders", 33, 0)))
                .isInstanceOf(InvalidAccessException.class)
                .hasMessageStartingWith("mode: ");
        assertThat(data).doesNotExist();
    }

    @Test
    void file_that_was_guarded_by_one_key_is_not_guarded_by_another() throws Exception {
        file.replace(exclusive(33), bytes("x"));
        assertThatThrownBy(() -> new GuardedFile(data, "customers").read(Access.exclusive("customers", 99)))
                .isInstanceOf(InvalidAccessException.class)
                .hasMessageStartingWith("key: ");
    }

    @Test
    void numbered_writes_are_done_once_and_in_order_across_restarts() throws Exception {
        assertThat(file.append(exclusive(33).write(1), bytes("a"))).isEqualTo(Entry.NEW);
        assertThat(restarted().append(exclusive(33).write(1), bytes("a"))).isEqualTo(Entry.REPEATED);
        assertThat(restarted().append(exclusive(33).write(3), bytes("c"))).isEqualTo(Entry.NEW);
        assertThatThrownBy(() -> restarted().append(exclusive(33).write(2), bytes("b")))
                .isInstanceOf(OutOfOrderException.class);
        assertThat(restarted().replace(exclusive(33).write(4), bytes("d"))).isEqualTo(Entry.NEW);
        assertThat(restarted().replace(exclusive(33).write(4), bytes("d"))).isEqualTo(Entry.REPEATED);
        assertThat(data).hasContent("d");
    }

    @Test
    void append_that_a_crash_cut_short_is_gone_and_may_come_again() throws Exception {
        file.append(exclusive(33).write(1), bytes("whole\n"));
        begun(new Pending.Append(6));
        Files.writeString(data, "torn", StandardOpenOption.APPEND);
        assertThat(restarted().append(exclusive(33).write(2), bytes("again\n"))).isEqualTo(Entry.NEW);
        assertThat(data).hasContent("whole\nagain\n");
    }

    @Test
    void reader_after_a_crash_does_not_see_half_an_append() throws Exception {
        file.append(exclusive(33), bytes("whole\n"));
        begun(new Pending.Append(6));
        Files.writeString(data, "torn", StandardOpenOption.APPEND);
        assertThat(restarted().read(Access.shared("orders", 34))).hasValue(bytes("whole\n"));
    }

    @Test
    void numbered_replacement_counts_after_a_crash_if_and_only_if_it_is_in_place() throws Exception {
        Access second = exclusive(33).write(2);
        file.replace(exclusive(33).write(1), bytes("first"));
        begun(Pending.Replace.by(second, Contents.of(bytes("second"))));
        Files.writeString(root.resolve("orders.txt.new"), "second");
        assertThat(restarted().replace(second, bytes("second"))).isEqualTo(Entry.NEW);
        assertThat(data).hasContent("second");

        Access third = exclusive(33).write(3);
        begun(Pending.Replace.by(third, Contents.of(bytes("third"))));
        Files.writeString(data, "third");
        assertThat(restarted().replace(third, bytes("third"))).isEqualTo(Entry.REPEATED);
    }

    @Test
    void mark_whose_writing_was_cut_short_leaves_the_one_before() throws Exception {
        file.replace(exclusive(33), bytes("x"));
        file.replace(exclusive(34), bytes("y"));
        long newest = generations().stream().max(Long::compare).orElseThrow();
        spoil((int) (newest % MarkFile.RECORDS));
        assertThatThrownBy(() -> restarted().read(exclusive(32))).isInstanceOf(StaleTokenException.class);
        restarted().replace(exclusive(34), bytes("z"));
        assertThatThrownBy(() -> restarted().read(exclusive(33))).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void damaged_marks_let_nobody_in() throws Exception {
        file.replace(exclusive(34), bytes("x"));
        spoil(0);
        spoil(1);
        assertThatThrownBy(() -> restarted().replace(exclusive(99), bytes("y")))
                .isInstanceOf(DamagedMarksException.class)
                .hasMessageContainingAll("orders.txt.marks", "delete");
        assertThat(data).hasContent("x");
    }

    @Test
    void making_of_a_mark_file_that_was_interrupted_is_done_again() throws Exception {
        Files.write(root.resolve("orders.txt.marks"), new byte[MarkFile.RECORD_BYTES]);
        file.replace(exclusive(33), bytes("x"));
        assertThatThrownBy(() -> restarted().read(exclusive(32))).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void threads_take_turns() throws Exception {
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            FutureTask<Integer> task = new FutureTask<>(() -> {
                for (int n = 0; n < 25; n++) {
                    restarted().append(exclusive(33), bytes("line\n"));
                }
                return 25;
            });
            new Thread(task, "appending-" + i).start();
            tasks.add(task);
        }
        int all = 0;
        for (FutureTask<Integer> task : tasks) {
            all += task.get();
        }
        assertThat(data).hasContent("line\n".repeat(all));
    }

    /** As if the process had ended in the middle of this. */
    private void begun(Pending pending) throws IOException {
        try (FileTurn turn = turn()) {
            MarkFile marks = turn.marks("orders");
            marks.keep(marks.marks(), pending);
        }
    }

    private FileTurn turn() throws IOException {
        return FileTurn.await(root.resolve("orders.txt.marks"), exclusive(1), Duration.ofSeconds(10));
    }

    private List<Long> generations() throws IOException {
        byte[] all = Files.readAllBytes(root.resolve("orders.txt.marks"));
        List<Long> found = new ArrayList<>();
        for (int slot = 0; slot < MarkFile.RECORDS; slot++) {
            byte[] record = new byte[MarkFile.RECORD_BYTES];
            System.arraycopy(all, slot * MarkFile.RECORD_BYTES, record, 0, record.length);
            MarkRecord.of(record).ifPresent(read -> found.add(read.generation()));
        }
        return found;
    }

    private void spoil(int slot) throws IOException {
        Path marks = root.resolve("orders.txt.marks");
        byte[] all = Files.readAllBytes(marks);
        all[slot * MarkFile.RECORD_BYTES + 20] ^= 1;
        Files.write(marks, all);
    }

    @Test
    void record_survives_whatever_a_key_contains() {
        MarkRecord record = new MarkRecord(7, "a b/ü]\n%", Marks.parse("x33:7 s34"), new Pending.Append(12));
        byte[] bytes = record.bytes();
        assertThat(MarkRecord.of(bytes)).hasValue(record);
        for (int i = 0; i < bytes.length; i++) {
            byte[] flipped = bytes.clone();
            flipped[i] ^= 1;
            assertThat(MarkRecord.of(flipped)).as("byte %d", i).isEmpty();
        }
    }

    private static Access exclusive(long token) {
        return Access.exclusive("orders", token);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
