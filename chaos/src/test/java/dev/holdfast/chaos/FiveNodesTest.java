package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Five nodes go on without any two. */
class FiveNodesTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void five_nodes_survive_the_leader_and_one_more_killed_under_load() throws Exception {
        try (Cluster cluster = Cluster.start(root, 5, Map.of("election-profile", "fast"))) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 50);

            NodeProcess leader = cluster.awaitLeader();
            leader.kill();
            // The next leader, too, before the first is back.
            NodeProcess second = cluster.awaitLeader();
            second.kill();
            assertThat(cluster.running()).hasSize(3);
            KillTest.progress(load, 50);

            leader.start();
            second.start();
            cluster.awaitAll();
            KillTest.progress(load, 50);
            load.stop();
            events.catchUp();
            events.verify(load);
            assertThat(cluster.running()).hasSize(5);
            cluster.assertStatesEqual();
        }
    }
}
