package dev.holdfast.chaos;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The way of log entries that is not the default one. */
class TransportTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void with_grpc_between_them_nodes_form_a_cluster_and_survive_a_killed_leader() throws Exception {
        Map<String, String> settings = Map.of("election-profile", "fast", "log-transport", "grpc");
        try (Cluster cluster = Cluster.start(root, 3, settings)) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 50);
            NodeProcess leader = cluster.awaitLeader();
            leader.kill();
            KillTest.progress(load, 50);
            leader.start();
            cluster.awaitAll();
            KillTest.progress(load, 50);
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        }
    }
}
