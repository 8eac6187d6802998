package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.consensus.ratis.Cluster.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
    private static final long LITTLE = 128 * 1024;
    private static final long MUCH = 64 * 1024 * 1024;

    @TempDir
    Path directory;

    @Test
    void nothing_is_lost_when_one_or_all_are_restarted() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            cluster.writeMany("a", 20, 10);
            Node follower = cluster.follower();
            follower.stop();
            cluster.writeMany("b", 20, 10);
            follower.start();
            cluster.awaitAgreement();
            List<Node> all = cluster.running();
            cluster.stop(all);
            all.forEach(Node::start);
            cluster.write("last");
            cluster.awaitAgreement();
            assertThat(follower.replica.entries()).hasSize(41).endsWith("last");
        }
    }

    @Test
    void snapshot_on_request_is_what_a_restart_begins_with() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            long written = 0;
            for (int i = 0; i < 10; i++) {
                written = cluster.write("e" + i).index();
            }
            Node leader = cluster.leader();
            long index = leader.running().snapshot().get(10, TimeUnit.SECONDS);
            assertThat(index).isGreaterThanOrEqualTo(written);
            SnapshotFile snapshot = leader.running().latestSnapshot().orElseThrow();
            assertThat(snapshot.index()).isEqualTo(index);
            assertThat(Files.readString(snapshot.path()).lines()).hasSize(10);
            assertThat(leader.running().snapshot().get(10, TimeUnit.SECONDS))
                    .as("nothing new")
                    .isEqualTo(index);
            cluster.write("after");
            leader.stop();
            leader.start();
            assertThat(leader.replica.loads()).isEqualTo(1);
            cluster.awaitAgreement();
            assertThat(leader.replica.entries()).hasSize(11).endsWith("after");
        }
    }

    @Test
    void log_is_forgotten_behind_snapshots_and_only_the_newest_is_kept() {
        try (Cluster cluster = Cluster.ofThree(directory, LITTLE)) {
            List<Node> all = cluster.running();
            cluster.writeUntilForgotten();
            List<String> entries = cluster.leader().replica.entries();
            for (Node node : all) {
                Awaiting.untilAsserted(
                        () -> assertThat(node.snapshots()).hasSize(2).noneMatch(name -> name.endsWith(".part")));
            }
            cluster.stop(all);
            all.forEach(Node::start);
            cluster.awaitAgreement();
            assertThat(cluster.leader().replica.loads()).isEqualTo(1);
            assertThat(cluster.leader().replica.entries()).isEqualTo(entries);
        }
    }

    @Test
    void member_that_fell_behind_the_log_fetches_a_snapshot() {
        try (Cluster cluster = Cluster.ofThree(directory, LITTLE)) {
            cluster.write("first");
            cluster.awaitAgreement();
            Node follower = cluster.follower();
            follower.stop();
            cluster.writeUntilForgotten();
            follower.start();
            assertThat(follower.replica.loads()).isZero();
            cluster.awaitAgreement();
            assertThat(follower.replica.loads()).isEqualTo(1);
            cluster.writeMany("f", 40, 8_000);
            cluster.awaitAgreement();
            follower.stop();
            follower.start();
            cluster.write("last");
            cluster.awaitAgreement();
            assertThat(follower.replica.failures()).isEmpty();
        }
    }

    @Test
    void log_that_a_power_cut_left_behind_a_fetched_snapshot_is_in_nobodys_way() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, LITTLE)) {
            cluster.write("first");
            cluster.awaitAgreement();
            Node follower = cluster.follower();
            follower.stop();
            Path before = Files.createDirectory(directory.resolve("before"));
            for (String segment : follower.segments()) {
                Files.copy(follower.logDirectory().resolve(segment), before.resolve(segment));
            }
            cluster.writeUntilForgotten();
            follower.start();
            cluster.awaitAgreement();
            assertThat(follower.replica.loads()).isEqualTo(1);
            follower.stop();
            // As if nothing that was done to the log since had reached the disk.
            for (String segment : follower.segments()) {
                Files.delete(follower.logDirectory().resolve(segment));
            }
            try (Stream<Path> segments = Files.list(before)) {
                for (Path segment : segments.toList()) {
                    Files.copy(segment, follower.logDirectory().resolve(segment.getFileName()));
                }
            }
            follower.start();
            cluster.write("last");
            cluster.awaitAgreement();
            assertThat(follower.replica.failures()).isEmpty();
        }
    }

    @Test
    void damaged_snapshot_is_refused_by_name_with_the_way_out() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            cluster.write("one");
            Node leader = cluster.leader();
            leader.running().snapshot().get(10, TimeUnit.SECONDS);
            Path file = leader.running().latestSnapshot().orElseThrow().path();
            leader.stop();
            byte[] sound = Files.readAllBytes(file);

            byte[] flipped = sound.clone();
            flipped[1] ^= 4;
            Files.write(file, flipped);
            assertRefused(leader, file);
            Files.write(file, Arrays.copyOf(sound, sound.length - 1));
            assertRefused(leader, file);
            Files.write(file, sound);
            Path sum = file.resolveSibling(file.getFileName() + ".sum");
            byte[] sumBytes = Files.readAllBytes(sum);
            Files.delete(sum);
            assertRefused(leader, file);
            Files.write(sum, sumBytes);
            leader.start();
            cluster.write("two");
            cluster.awaitAgreement();
        }
    }

    private static void assertRefused(Node node, Path file) {
        assertThatThrownBy(node::start)
                .isInstanceOf(LogException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("Replace it");
    }

    @Test
    void directory_in_use_is_refused() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node node = cluster.leader();
            RatisLog running = node.running();
            assertThatThrownBy(node::start)
                    .isInstanceOf(LogException.class)
                    .hasMessageContaining("in use by another node");
            assertThat(node.running()).isSameAs(running);
        }
    }
}
