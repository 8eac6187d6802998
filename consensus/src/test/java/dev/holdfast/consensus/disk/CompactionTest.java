package dev.holdfast.consensus.disk;

import static dev.holdfast.consensus.disk.Ledger.bytes;
import static dev.holdfast.consensus.disk.Logs.acknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.SnapshotFile;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactionTest {
    @TempDir
    Path directory;

    @Test
    void restart_after_compaction_under_load_finds_the_same() throws IOException {
        DiskSettings settings = new DiskSettings(Logs.SELF, directory, 64 << 10, 16 << 10);
        List<String> all = new ArrayList<>();
        for (int start = 0; start < 3; start++) {
            Ledger ledger = new Ledger();
            try (DiskLog log = Logs.start(settings, ledger)) {
                assertThat(ledger.entries()).isEqualTo(all);
                long snapshotBefore = log.status().snapshot();
                List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
                for (int i = 0; i < 3000; i++) {
                    all.add(start + "/" + i + "-".repeat(i % 300));
                    outcomes.add(Logs.propose(log, bytes(all.get(all.size() - 1))));
                }
                outcomes.forEach(Logs::acknowledged);
                await().until(() -> log.status().snapshot() > snapshotBefore);
                assertThat(ledger.failures()).isEmpty();
            }
        }
        assertThat(Logs.read(directory)).isEqualTo(all);
    }

    @Test
    void snapshot_takes_the_place_of_the_log_and_of_the_snapshot_before() throws IOException {
        try (DiskLog log = Logs.start(Logs.settings(directory), new Ledger())) {
            acknowledged(Logs.propose(log, bytes("x")));
            assertThat(log.snapshot().join()).isEqualTo(2);
            acknowledged(Logs.propose(log, bytes("y")));
            assertThat(log.snapshot().join()).isEqualTo(3);
            assertThat(log.snapshot().join()).as("nothing new").isEqualTo(3);
            assertThat(log.status().snapshot()).isEqualTo(3);
            SnapshotFile snapshot = log.latestSnapshot().orElseThrow();
            assertThat(snapshot.term()).isEqualTo(1);
            assertThat(Logs.names(directory))
                    .containsExactly(
                            "lock",
                            "log-0000000000000000004",
                            snapshot.path().getFileName().toString(),
                            "term");
            try (DataInputStream in = new DataInputStream(Files.newInputStream(snapshot.path()))) {
                assertThat(in.readUTF() + in.readUTF()).isEqualTo("xy");
                assertThat(in.read()).as("nothing but the replica's bytes").isEqualTo(-1);
            }
        }
        assertThat(Logs.read(directory)).containsExactly("x", "y");
    }

    @Test
    void crash_between_snapshot_and_deletion_is_made_good() throws IOException {
        Logs.write(directory, "x");
        Path covered = Logs.onlySegment(directory);
        byte[] log = Files.readAllBytes(covered);
        snapshot();
        Path newest = directory.resolve("snapshot.tmp");
        Files.write(covered, log);
        Files.write(newest, new byte[100]);
        Files.write(directory.resolve("snapshot-0000000000000000001-1-3-00000000"), new byte[3]);
        assertThat(Logs.read(directory)).containsExactly("x");
        assertThat(covered).doesNotExist();
        assertThat(newest).doesNotExist();
        assertThat(Logs.names(directory).stream().filter(name -> name.startsWith("snapshot")))
                .hasSize(1);
    }

    @Test
    void entries_before_the_snapshot_are_not_applied_again() throws IOException {
        Logs.write(directory, "x");
        Path covered = Logs.onlySegment(directory);
        byte[] log = Files.readAllBytes(covered);
        snapshot();
        for (SegmentFile segment : SegmentFile.list(directory)) {
            Files.delete(segment.path());
        }
        // Ends at index 2, the snapshot at 3: as if the newest file were lost.
        Files.write(covered, log);
        assertThatThrownBy(() -> Logs.read(directory))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("ends at index 2, before the snapshot at 3");
        Files.delete(covered);
        assertThat(Logs.read(directory)).containsExactly("x");
    }

    @Test
    void damaged_snapshot_is_refused_at_every_byte_and_length() throws IOException {
        Logs.write(directory, "some", "state");
        Path snapshot = snapshot();
        byte[] whole = Files.readAllBytes(snapshot);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            assertRefused(snapshot, damaged);
            assertRefused(snapshot, Arrays.copyOf(whole, at));
        }
        Files.write(snapshot, whole);
        assertThat(Logs.read(directory)).containsExactly("some", "state");
    }

    private Path snapshot() throws IOException {
        try (DiskLog log = Logs.start(Logs.settings(directory), new Ledger())) {
            log.snapshot().join();
            return log.latestSnapshot().orElseThrow().path();
        }
    }

    private void assertRefused(Path snapshot, byte[] content) throws IOException {
        Files.write(snapshot, content);
        assertThatThrownBy(() -> Logs.replay(directory))
                .isInstanceOf(LogException.class)
                .hasMessageContaining(snapshot + " is damaged");
    }
}
