package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a node does to its disk, and what it does when the disk fails it: a small library stands between the two. */
class DiskTest {
    private static final Map<String, String> FAST = Map.of("election-profile", "fast");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    private Path library = Path.of("");

    @BeforeEach
    void compile() throws IOException, InterruptedException {
        library = NativeLibrary.compile(root, "disk");
    }

    @Test
    void a_failed_fsync_stops_its_node_before_it_answers_and_the_others_go_on() throws Exception {
        try (Cluster cluster = Cluster.prepare(root, 3, FAST)) {
            Path trigger = root.resolve("trigger");
            NodeProcess victim = cluster.node("n2")
                    .with(Map.of("LD_PRELOAD", library.toString(), "DISK_TRIGGER", trigger.toString()));
            cluster.startAll();
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 100);
            Files.createFile(trigger);
            assertThat(victim.awaitExit()).isNotZero();
            assertThat(victim.output())
                    .contains("holdfast: ")
                    .contains(victim.directory().toString());
            KillTest.progress(load, 50);
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        }
    }

    @Test
    void a_leader_whose_disk_hangs_is_followed_by_another_and_follows_it_once_the_disk_is_back() throws Exception {
        try (Cluster cluster = Cluster.prepare(root, 3, FAST)) {
            for (String name : List.of("n1", "n2", "n3")) {
                cluster.node(name)
                        .with(Map.of(
                                "LD_PRELOAD",
                                library.toString(),
                                "DISK_STALL",
                                root.resolve(name + ".stall").toString()));
            }
            cluster.startAll();
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 100);
            Path stall = root.resolve(cluster.awaitLeader().name() + ".stall");
            Files.createFile(stall);
            // Nothing of this is possible under the old leader.
            KillTest.progress(load, 200);
            Files.delete(stall);
            KillTest.progress(load, 50);
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        }
    }

    /** The engine renames its vote into place without flushing the directory; a vote could be cast twice after a power cut. */
    @Test
    void a_renamed_vote_is_flushed_with_its_directory() throws Exception {
        Path told = root.resolve("events");
        try (Cluster cluster = Cluster.prepare(root, 3, FAST)) {
            NodeProcess watched =
                    cluster.node("n1").with(Map.of("LD_PRELOAD", library.toString(), "DISK_EVENTS", told.toString()));
            cluster.startAll();
            for (int i = 0; i < 3; i++) {
                NodeProcess leader = cluster.awaitLeader();
                if (leader != watched) {
                    leader.kill();
                    cluster.awaitLeader();
                    leader.start();
                    cluster.awaitAll();
                }
            }
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                List<String> lines = Files.readAllLines(told);
                int vote = lastMatching(lines, "rename .*/current/raft-meta");
                assertThat(vote).as("a vote was renamed into place").isNotNegative();
                assertThat(lastMatching(lines, "fsync .*/current"))
                        .as("and its directory flushed after it")
                        .isGreaterThan(vote);
            });
        }
    }

    private static int lastMatching(List<String> lines, String pattern) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).matches(pattern)) {
                return i;
            }
        }
        return -1;
    }
}
