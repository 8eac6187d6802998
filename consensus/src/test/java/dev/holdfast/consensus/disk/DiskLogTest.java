package dev.holdfast.consensus.disk;

import static dev.holdfast.consensus.disk.Ledger.bytes;
import static dev.holdfast.consensus.disk.Logs.acknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskLogTest {
    @TempDir
    Path directory;

    @Test
    void restart_replays_exactly_what_was_acknowledged_in_order() throws IOException {
        List<String> all = new ArrayList<>();
        for (int start = 0; start < 3; start++) {
            Ledger ledger = new Ledger();
            try (DiskLog log = Logs.start(new DiskSettings(Logs.SELF, directory, Logs.NEVER, 4096), ledger)) {
                assertThat(ledger.entries()).isEqualTo(all);
                List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    all.add("entry " + start + "/" + i + "x".repeat(i));
                    outcomes.add(Logs.propose(log, bytes(all.get(all.size() - 1))));
                }
                long before = 0;
                for (CompletableFuture<Outcome> outcome : outcomes) {
                    Outcome.Applied applied = acknowledged(outcome);
                    assertThat(applied.index()).isGreaterThan(before);
                    before = applied.index();
                }
                assertThat(log.status().applied()).isEqualTo(before);
                assertThat(ledger.entries()).isEqualTo(all);
            }
        }
        assertThat(SegmentFile.list(directory)).hasSizeGreaterThan(3);
        assertThat(Logs.read(directory)).isEqualTo(all);
    }

    @Test
    void every_start_leads_in_a_later_term_and_only_after_following() throws IOException {
        for (long start = 1; start <= 4; start++) {
            Ledger ledger = new Ledger();
            try (DiskLog log = Logs.start(Logs.settings(directory), ledger)) {
                assertThat(ledger.roles())
                        .containsExactly(new Role.Following(start - 1, Optional.empty()), new Role.Leading(start));
                assertThat(acknowledged(Logs.propose(log, bytes("x"))).term()).isEqualTo(start);
            }
        }
    }

    @Test
    void first_entry_of_a_term_takes_an_index_that_the_replica_never_sees() throws IOException {
        try (DiskLog log = Logs.start(Logs.settings(directory), new Ledger())) {
            assertThat(log.status().applied()).isEqualTo(1);
            assertThat(acknowledged(Logs.propose(log, bytes("x")))).isEqualTo(new Outcome.Applied(1, 2));
        }
        try (DiskLog log = Logs.start(Logs.settings(directory), new Ledger())) {
            assertThat(acknowledged(Logs.propose(log, bytes("y")))).isEqualTo(new Outcome.Applied(2, 4));
        }
        assertThat(Logs.read(directory)).containsExactly("x", "y");
    }

    @Test
    void entries_of_nothing_and_of_zeros_are_entries() throws IOException {
        String zeros = "\0".repeat(5000);
        Logs.write(directory, "", zeros, "", "x" + zeros);
        assertThat(Logs.read(directory)).containsExactly("", zeros, "", "x" + zeros);
    }

    @Test
    void close_writes_and_answers_what_was_proposed_before() throws IOException {
        List<CompletableFuture<Outcome>> outcomes;
        List<String> entries =
                IntStream.range(0, 2000).mapToObj(i -> "entry " + i).toList();
        DiskLog log = Logs.start(Logs.settings(directory), new Ledger());
        outcomes =
                entries.stream().map(entry -> Logs.propose(log, bytes(entry))).toList();
        log.close();
        assertThat(outcomes)
                .allSatisfy(outcome ->
                        assertThat(outcome.getNow(new Outcome.Unknown("open"))).isInstanceOf(Outcome.Applied.class));
        assertThat(Logs.propose(log, bytes("late")).join()).isEqualTo(new Outcome.NotAppended("the log is closed"));
        assertThat(Logs.read(directory)).isEqualTo(entries);
    }

    @Test
    void nothing_is_taken_before_the_start_and_no_entry_above_the_limit() throws IOException {
        DiskLog log = new DiskLog(Logs.settings(directory), new Ledger());
        assertThat(Logs.propose(log, bytes("early")).join()).isInstanceOf(Outcome.NotAppended.class);
        log.start();
        assertThat(Logs.propose(log, new byte[Intake.MAX_ENTRY_BYTES + 1]).join())
                .isEqualTo(new Outcome.NotAppended("the entry has 4194305 bytes, more than 4194304"));
        acknowledged(Logs.propose(log, new byte[Intake.MAX_ENTRY_BYTES]));
        log.close();
        assertThat(Logs.read(directory)).hasSize(1);
    }

    @Test
    void entry_for_another_term_is_refused() throws IOException {
        Logs.write(directory, "x");
        try (DiskLog log = Logs.start(Logs.settings(directory), new Ledger())) {
            assertThat(log.propose(1, bytes("late")).join())
                    .isEqualTo(new Outcome.NotAppended("the entry is for term 1, this node leads in term 2"));
            assertThat(log.propose(3, bytes("early")).join()).isInstanceOf(Outcome.NotAppended.class);
            assertThat(acknowledged(log.propose(2, bytes("y"))).term()).isEqualTo(2);
        }
        assertThat(Logs.read(directory)).containsExactly("x", "y");
    }

    @Test
    void it_says_that_it_is_alone() throws IOException {
        try (DiskLog log = Logs.start(Logs.settings(directory), new Ledger())) {
            LogStatus status = log.status();
            assertThat(status.description()).isEqualTo("single node, not replicated");
            assertThat(status.members()).containsExactly(Logs.SELF);
            assertThat(status.role()).isEqualTo(new Role.Leading(1));
            assertThat(status.snapshot()).isEqualTo(-1);
            assertThat(log.reconfigure(status.members(), List.of()))
                    .isCompletedExceptionally()
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(LogException.class)
                    .withMessageContaining("no other members");
            assertThat(log.transferLeadership(Optional.empty(), Duration.ofSeconds(1)))
                    .isCompletedExceptionally();
        }
    }

    @Test
    void second_log_on_a_directory_is_refused_and_takes_nothing_from_the_first() throws Exception {
        Path same = Files.createSymbolicLink(directory.resolveSibling("same-" + System.nanoTime()), directory);
        try (DiskLog log = Logs.start(Logs.settings(directory), new Ledger())) {
            assertThatThrownBy(() -> Logs.read(same))
                    .isInstanceOf(LogException.class)
                    .hasMessageContaining("in use by another node of this process");
            // The refused attempt must not have given up the lock that other processes see.
            assertThat(Child.firstLine(directory)).contains("in use by another process");
            acknowledged(Logs.propose(log, bytes("x")));
        } finally {
            Files.delete(same);
        }
        assertThat(Logs.read(directory)).containsExactly("x");
    }

    @Test
    void directory_can_be_used_again_after_a_refused_start() throws IOException {
        Logs.write(directory, "x");
        Path term = directory.resolve("term");
        Files.writeString(term, "one");
        assertThatThrownBy(() -> Logs.read(directory)).hasMessageContaining(term + " should hold a number");
        Files.writeString(term, "0");
        assertThatThrownBy(() -> Logs.read(directory)).hasMessageContaining(term + " says 0, but there are entries of");
        Files.writeString(term, "1");
        assertThat(Logs.read(directory)).containsExactly("x");
    }

    @Test
    void missing_file_of_the_log_is_refused() throws IOException {
        Logs.write(directory, "x");
        Logs.write(directory, "y");
        Logs.write(directory, "z");
        List<SegmentFile> segments = SegmentFile.list(directory);
        Files.delete(segments.get(1).path());
        assertThatThrownBy(() -> Logs.read(directory))
                .isInstanceOf(LogException.class)
                .hasMessageContaining(segments.get(2).path() + " should begin at index 3");
    }

    @Test
    void file_of_the_log_from_elsewhere_is_refused() throws IOException {
        Logs.write(directory, "x");
        Logs.write(directory, "y");
        List<SegmentFile> segments = SegmentFile.list(directory);
        Files.copy(segments.get(0).path(), segments.get(1).path(), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> Logs.read(directory))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("at offset 0 has term 1 index 1, after term 1 index 2");
    }
}
