package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.Watch;
import dev.holdfast.protocol.v1.CompactRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.SnapshotSaveRequest;
import dev.holdfast.server.backup.Restore;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots, restarts from them, and a backup that becomes a new cluster. */
class BackupTest {
    private static final Map<String, String> FAST = Map.of("election-profile", "fast", "snapshot-after-bytes", "64KB");
    private static final long LEASE = 4711;
    /** A new cluster grants nothing for as long as this. */
    private static final long TTL_MILLIS = 2_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    private static LockResponse lock(Cluster cluster, long lease, String key) {
        LockServiceBlockingStub stub =
                cluster.clients().locks(cluster.awaitLeader().clientAddress());
        var unused = stub.leaseGrant(
                LeaseGrantRequest.newBuilder().setId(lease).setTtlMs(TTL_MILLIS).build());
        return stub.lock(LockRequest.newBuilder()
                .setName(key)
                .setLeaseId(lease)
                .setSeq(1)
                .setTimeoutMs(10 * TTL_MILLIS)
                .build());
    }

    private static Path save(Cluster cluster, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            var chunks = cluster.clients()
                    .admin(cluster.follower().clientAddress())
                    .snapshotSave(SnapshotSaveRequest.getDefaultInstance());
            while (chunks.hasNext()) {
                chunks.next().getData().writeTo(out);
            }
        }
        return file;
    }

    @Test
    void a_backup_becomes_a_new_cluster_with_higher_tokens_and_a_quarantine() throws Exception {
        Path backup = root.resolve("backup");
        long token;
        String cursor;
        try (Cluster cluster = Cluster.start(Files.createDirectory(root.resolve("old")), 3, FAST);
                HoldfastClient client = HoldfastClient.create(String.join(",", cluster.addresses()));
                Watch watch = client.watch("orders/42").open()) {
            token = lock(cluster, LEASE, "orders/42").getFencingToken();
            cursor = watch.next().cursor();
            save(cluster, backup);
        }
        Path fresh = Files.createDirectory(root.resolve("new"));
        try (Cluster cluster = Cluster.prepare(fresh, 3, FAST)) {
            for (String name : new String[] {"n1", "n2", "n3"}) {
                Restore.Outcome outcome = Restore.restore(
                        backup, cluster.node(name).directory(), name, token, Duration.ofMillis(TTL_MILLIS));
                assertThat(outcome.leasesEnded()).isEqualTo(1);
                assertThat(outcome.quarantineMillis()).isPositive();
                cluster.node(name).start();
            }
            cluster.awaitAll();
            LockResponse granted = lock(cluster, LEASE + 1, "orders/42");
            assertThat(granted.getAcquired()).isTrue();
            assertThat(granted.getFencingToken()).isGreaterThan(token);
            try (HoldfastClient client = HoldfastClient.create(String.join(",", cluster.addresses()))) {
                resumeAfterRestore(client, cursor);
            }
            // One who comes later has no backup: it must get the state, not the bare log.
            cluster.newcomer("n4", Map.of()).start();
            cluster.awaitAll();
            cluster.assertStatesEqual();
        }
    }

    /** What a cursor or a revision of before meant may not have happened here; what the refusal says leads on. */
    private static void resumeAfterRestore(HoldfastClient client, String cursor) throws InterruptedException {
        CompactedException old;
        try (Watch watch = client.watch("orders/42").from(cursor).open()) {
            old = catchThrowableOfType(CompactedException.class, watch::next);
        }
        try (Watch bare = client.watch("orders/42").from(1).open()) {
            assertThatThrownBy(bare::next)
                    .isInstanceOf(CompactedException.class)
                    .hasMessageContaining("cursor");
        }
        try (Watch past = client.watch("orders/42").from(old.oldest()).open()) {
            assertThat(past.next().cursor())
                    .as("the first thing of the new epoch")
                    .startsWith("1-");
        }
        try (Watch present = client.watch("orders/42").from(old.next()).open()) {
            assertThat(present.cursor()).isEqualTo(old.next());
        }
    }

    @Test
    void a_damaged_backup_is_refused() throws Exception {
        Path backup = root.resolve("backup");
        try (Cluster cluster = Cluster.start(Files.createDirectory(root.resolve("old")), 1, FAST)) {
            lock(cluster, LEASE, "orders/42");
            try (OutputStream out = Files.newOutputStream(backup)) {
                cluster.clients()
                        .admin(cluster.awaitLeader().clientAddress())
                        .snapshotSave(SnapshotSaveRequest.getDefaultInstance())
                        .forEachRemaining(chunk -> {
                            try {
                                chunk.getData().writeTo(out);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
            }
        }
        byte[] whole = Files.readAllBytes(backup);
        for (int i = 0; i < whole.length; i += 7) {
            byte[] flipped = whole.clone();
            flipped[i] ^= 1;
            Path damaged = Files.write(root.resolve("damaged"), flipped);
            Path directory = root.resolve("never-made-" + i);
            assertThatThrownBy(() -> Restore.restore(damaged, directory, "n1", 0, null))
                    .as("bit of byte %d", i)
                    .isInstanceOf(IOException.class);
            assertThat(directory).doesNotExist();
        }
    }

    @Test
    void nodes_restart_from_snapshot_and_log_and_a_lagging_one_installs_a_snapshot() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, FAST)) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 8, 4).start();
            NodeProcess lagging = cluster.follower();
            lagging.kill();
            // Enough that the others forget the log which the absent one would need.
            for (int i = 0; i < 4; i++) {
                KillTest.progress(load, 150);
                for (NodeProcess node : cluster.running()) {
                    var unused =
                            cluster.clients().admin(node.clientAddress()).compact(CompactRequest.getDefaultInstance());
                }
            }
            lagging.start();
            cluster.awaitAll();
            KillTest.progress(load, 50);
            NodeProcess other = cluster.awaitLeader();
            other.kill();
            other.start();
            KillTest.progress(load, 50);
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        }
    }
}
