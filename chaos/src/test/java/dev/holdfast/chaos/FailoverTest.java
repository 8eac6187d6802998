package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long clients go without a grant when the leader is killed, over many kills: a measurement, with the promises
 * checked at its end. Minutes long, so only with {@code -Dholdfast.long=true}.
 */
@EnabledIfSystemProperty(named = "holdfast.long", matches = "true")
class FailoverTest {
    private static final int KILLS = Integer.getInteger("holdfast.kills", 20);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void default_timeouts() throws Exception {
        measure(Map.of());
    }

    @Test
    void fast_profile() throws Exception {
        measure(Map.of("election-profile", "fast"));
    }

    private void measure(Map<String, String> settings) throws Exception {
        List<Long> gaps = new ArrayList<>();
        try (Cluster cluster = Cluster.start(root, 3, settings)) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 8, 16).start();
            KillTest.progress(load, 500);
            for (int i = 0; i < KILLS; i++) {
                NodeProcess leader = cluster.awaitLeader();
                long killed = System.nanoTime();
                leader.kill();
                KillTest.progress(load, 300);
                gaps.add(longestGap(load, killed) / 1_000_000);
                leader.start();
                cluster.awaitAll();
                KillTest.progress(load, 100);
            }
            load.stop();
            report(settings, gaps);
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        }
        assertThat(gaps).hasSize(KILLS);
    }

    private static void report(Map<String, String> settings, List<Long> gaps) {
        List<Long> sorted = gaps.stream().sorted().toList();
        System.out.printf(
                "failover %s: %d kills, gap between grants: p50 %d ms, p90 %d ms, longest %d ms; all %s%n",
                settings,
                KILLS,
                sorted.get(sorted.size() / 2),
                sorted.get(sorted.size() * 9 / 10),
                sorted.get(sorted.size() - 1),
                gaps);
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
