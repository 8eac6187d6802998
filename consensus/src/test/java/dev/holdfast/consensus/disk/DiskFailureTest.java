package dev.holdfast.consensus.disk;

import static dev.holdfast.consensus.disk.Ledger.bytes;
import static dev.holdfast.consensus.disk.Logs.acknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskFailureTest {
    @TempDir
    Path directory;

    private final FaultyDisk disk = new FaultyDisk();
    private Ledger ledger = new Ledger();
    private DiskLog log;

    @BeforeEach
    void start() throws IOException {
        open(ledger);
        acknowledged(Logs.propose(log, bytes("before")));
    }

    @Test
    void failed_write_ends_all_acknowledgements() throws IOException {
        disk.failing = "log-";
        disk.failWrites = true;
        Outcome outcome = Logs.propose(log, bytes("lost".repeat(300))).join();
        assertFailedFor(outcome, "No space left on device");
        assertThat(Logs.read(directory)).containsExactly("before");
    }

    @Test
    void failed_flush_ends_all_acknowledgements_although_the_next_would_succeed() throws IOException {
        disk.failing = "log-";
        disk.failFlushes = true;
        Outcome outcome = Logs.propose(log, bytes("doubtful")).join();
        disk.failFlushes = false;
        assertFailedFor(outcome, "Input/output error");
        // It was written, and no more was said of it than that nobody knows.
        assertThat(Logs.read(directory)).containsExactly("before", "doubtful");
    }

    @Test
    void record_whose_flush_may_have_failed_is_written_again_before_the_next_start_leads() throws IOException {
        disk.failing = "log-";
        disk.failFlushes = true;
        assertThat(Logs.propose(log, bytes("doubtful")).join()).isInstanceOf(Outcome.Unknown.class);
        log.close();
        disk.failFlushes = false;
        disk.calls.clear();
        String segment = Logs.onlySegment(directory).getFileName().toString();
        ledger = new Ledger();
        open(ledger);
        log.close();
        assertThat(disk.calls).startsWith("write " + segment + " 1024", "flush " + segment);
        assertThat(ledger.entries()).containsExactly("before", "doubtful");
    }

    @Test
    void batch_that_failed_is_unknown_and_what_waited_behind_it_was_never_appended() {
        disk.failing = "log-";
        disk.hold();
        CompletableFuture<Outcome> first = Logs.propose(log, bytes("first"));
        await().until(disk::someFlushWaits);
        CompletableFuture<Outcome> second = Logs.propose(log, bytes("second"));
        disk.failFlushes = true;
        disk.release();
        assertThat(first.join()).isInstanceOf(Outcome.Unknown.class);
        assertThat(second.join()).isInstanceOf(Outcome.NotAppended.class);
        log.close();
    }

    @Test
    void replica_that_throws_ends_the_log() throws IOException {
        log.close();
        ledger = new Ledger() {
            @Override
            public synchronized void apply(long term, long index, byte[] entry) {
                if (entry.length == 3) {
                    throw new IllegalStateException("disagrees");
                }
                super.apply(term, index, entry);
            }
        };
        open(ledger);
        disk.hold();
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        outcomes.add(Logs.propose(log, bytes("opens the batch")));
        await().until(disk::someFlushWaits);
        for (String entry : List.of("good", "bad", "fine")) {
            outcomes.add(Logs.propose(log, bytes(entry)));
        }
        disk.release();
        assertThat(outcomes.get(1).join()).isInstanceOf(Outcome.Applied.class);
        assertThat(outcomes.get(3).join()).isInstanceOf(Outcome.Unknown.class);
        log.close();
        assertThat(outcomes.get(2).join()).isInstanceOf(Outcome.Unknown.class);
        assertThat(ledger.entries()).containsExactly("before", "opens the batch", "good");
        assertThat(ledger.failures())
                .containsExactly(
                        "the entry at index 6 could not be applied: java.lang.IllegalStateException: disagrees");
    }

    @Test
    void snapshot_that_cannot_be_written_leaves_the_log_as_it_is() throws IOException {
        disk.failing = "snapshot";
        disk.failWrites = true;
        assertThat(log.snapshot().handle((index, e) -> String.valueOf(e)).join())
                .contains("No space left on device");
        acknowledged(Logs.propose(log, bytes("after")));
        disk.failWrites = false;
        assertThat(log.snapshot().join()).isEqualTo(3);
        log.close();
        assertThat(ledger.failures()).isEmpty();
        assertThat(Logs.read(directory)).containsExactly("before", "after");
    }

    @Test
    void nothing_is_applied_before_the_flush_and_one_flush_serves_all_that_waited() {
        disk.hold();
        CompletableFuture<Outcome> first = Logs.propose(log, bytes("0"));
        await().until(disk::someFlushWaits);
        int before = disk.flushes.get();
        List<CompletableFuture<Outcome>> others = IntStream.rangeClosed(1, 500)
                .mapToObj(i -> Logs.propose(log, bytes(Integer.toString(i))))
                .toList();
        assertThat(first).isNotDone();
        assertThat(ledger.entries()).containsExactly("before");
        disk.release();
        others.forEach(Logs::acknowledged);
        assertThat(disk.flushes.get() - before).isEqualTo(2);
        assertThat(ledger.entries()).hasSize(502);
        log.close();
    }

    @Test
    void full_queue_refuses_and_keeps_what_it_took() {
        disk.hold();
        CompletableFuture<Outcome> written = Logs.propose(log, bytes("x"));
        await().until(disk::someFlushWaits);
        List<CompletableFuture<Outcome>> taken = new ArrayList<>(List.of(written));
        for (int i = 0; i < Intake.MAX_ENTRIES; i++) {
            taken.add(Logs.propose(log, bytes("x")));
        }
        assertThat(Logs.propose(log, bytes("x")).join())
                .isEqualTo(new Outcome.NotAppended("the queue is full: 4096 entries, 4096 bytes"));
        disk.release();
        taken.forEach(Logs::acknowledged);
        acknowledged(Logs.propose(log, bytes("room again")));
        log.close();
    }

    private void open(Ledger replica) throws IOException {
        log = new DiskLog(Logs.settings(directory), replica, disk);
        log.start();
    }

    private void assertFailedFor(Outcome outcome, String reason) throws IOException {
        assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
        disk.failWrites = false;
        assertThat(Logs.propose(log, bytes("later")).join()).isInstanceOf(Outcome.NotAppended.class);
        await().untilAsserted(() -> assertThat(ledger.failures()).isNotEmpty());
        log.close();
        assertThat(Logs.propose(log, bytes("later still")).join()).isInstanceOf(Outcome.NotAppended.class);
        assertThat(ledger.entries()).containsExactly("before");
        assertThat(ledger.failures()).hasSize(1);
        assertThat(ledger.failures().get(0))
                .startsWith("cannot write " + SegmentFile.list(directory).get(0).path() + ": " + reason);
        assertThat(ledger.roles()).endsWith(new Role.Leading(1), new Role.Following(1, Optional.empty()));
    }
}
