package dev.holdfast.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two of three nodes killed at once, and all three, over and over: nothing that was acknowledged is lost. */
class MajorityTest {
    private static final int ACKNOWLEDGED = Figures.times(2_000, 100_000);
    private static final int BETWEEN = Figures.times(200, 1_000);
    private static final int CLIENTS = 16;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void a_majority_and_then_all_are_killed_until_enough_was_acknowledged() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, Map.of("election-profile", "fast"))) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), CLIENTS, CLIENTS).start();
            int majorities = 0;
            int everybody = 0;
            while (load.acknowledged() < ACKNOWLEDGED) {
                KillTest.progress(load, BETWEEN);
                boolean all = everybody < majorities;
                List<NodeProcess> killed = new ArrayList<>(cluster.running());
                if (all) {
                    everybody++;
                } else {
                    killed.remove(majorities % killed.size());
                    majorities++;
                }
                for (NodeProcess node : killed) {
                    node.kill();
                }
                for (NodeProcess node : killed) {
                    node.start();
                }
                KillTest.progress(load, BETWEEN);
            }
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
            Figures.tell(
                    "T6",
                    "a majority killed %d times, all nodes %d times: %d acknowledged, none lost",
                    majorities,
                    everybody,
                    load.acknowledged());
        }
    }
}
