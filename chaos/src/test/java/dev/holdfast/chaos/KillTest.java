package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Processes that die or stand still under load; nothing acknowledged is lost and nobody holds what another holds. */
class KillTest {
    private static final Map<String, String> FAST = Map.of("election-profile", "fast");
    private static final int WORKERS = 8;
    private static final int KEYS = 4;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    /** Waits until the load has got so many more grants. */
    static void progress(Load load, int more) {
        int before = load.grants().size();
        await().atMost(Duration.ofMinutes(4))
                .until(() -> !load.faults().isEmpty() || load.grants().size() >= before + more);
        assertThat(load.faults()).isEmpty();
    }

    @Test
    void leader_follower_and_all_killed_and_a_leader_that_stood_still() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, FAST)) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), WORKERS, KEYS).start();
            RecordedLoad recorded = new RecordedLoad(cluster.clients(), cluster.addresses(), 4, 2).start();
            progress(load, 100);

            NodeProcess leader = cluster.awaitLeader();
            leader.kill();
            progress(load, 100);
            leader.start();
            cluster.awaitAll();

            NodeProcess follower = cluster.follower();
            follower.kill();
            progress(load, 100);
            follower.start();
            cluster.awaitAll();

            NodeProcess paused = cluster.awaitLeader();
            paused.pause();
            progress(load, 100);
            paused.resume();
            progress(load, 50);

            for (NodeProcess node : cluster.running()) {
                node.kill();
            }
            for (String name : new String[] {"n1", "n2", "n3"}) {
                cluster.node(name).start();
            }
            progress(load, 100);

            load.stop();
            recorded.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
            assertThat(recorded.size()).isGreaterThan(200);
            recorded.assertLinearizable();
            assertThat(events.size()).isGreaterThan(1_000);
        }
    }
}
