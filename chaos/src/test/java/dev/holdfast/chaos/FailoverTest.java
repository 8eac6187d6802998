package dev.holdfast.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** How long clients go without a grant when the leader is killed, over many kills, with the promises checked at the end. */
class FailoverTest {
    private static final int KILLS = Integer.getInteger("holdfast.kills", Figures.times(2, 100));
    private static final int CLIENTS = 50;
    private static final int PER_SECOND = 200;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    @EnabledIfSystemProperty(named = "holdfast.long", matches = "true")
    void default_timeouts() throws Exception {
        measure("default timeouts", Map.of());
    }

    @Test
    void fast_profile() throws Exception {
        measure("fast profile", Map.of("election-profile", "fast"));
    }

    private void measure(String profile, Map<String, String> settings) throws Exception {
        List<Long> gaps = new ArrayList<>();
        try (Cluster cluster = Cluster.start(root, 3, settings)) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), CLIENTS, CLIENTS)
                    .perSecond(PER_SECOND)
                    .start();
            RecordedLoad recorded = new RecordedLoad(cluster.clients(), cluster.addresses(), 2, 2).start();
            KillTest.progress(load, PER_SECOND);
            for (int i = 0; i < KILLS; i++) {
                NodeProcess leader = cluster.awaitLeader();
                long killed = System.nanoTime();
                leader.kill();
                KillTest.progress(load, PER_SECOND);
                gaps.add(longestGap(load, killed) / 1_000_000);
                leader.start();
                cluster.awaitAll();
            }
            load.stop();
            recorded.stop();
            Figures.tell(
                    "T5",
                    "%d leaders killed, %s, %d clients: time without a grant %s ms; %d acknowledged, none lost",
                    KILLS,
                    profile,
                    CLIENTS,
                    Figures.percentiles(gaps),
                    load.acknowledged());
            events.catchUp();
            events.verify(load);
            recorded.assertLinearizable();
            cluster.assertStatesEqual();
        }
    }

    /** The longest time between two grants that any client was told of, since a moment. */
    static long longestGap(Load load, long since) {
        List<Long> told = load.grants().stream()
                .map(Load.Grant::toldNanos)
                .filter(nanos -> nanos - since >= 0)
                .sorted()
                .toList();
        long longest = told.get(0) - since;
        for (int i = 1; i < told.size(); i++) {
            longest = Math.max(longest, told.get(i) - told.get(i - 1));
        }
        return longest;
    }
}
