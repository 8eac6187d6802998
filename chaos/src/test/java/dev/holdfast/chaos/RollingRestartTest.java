package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** One node after the other is restarted with SIGTERM, as for an upgrade, under load. */
class RollingRestartTest {
    private static final int ROUNDS = Figures.times(1, 10);
    private static final int CLIENTS = 10;
    private static final int PER_SECOND = 100;
    private static final int HELD = 20;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void no_grant_is_lost_and_locks_go_on() throws Exception {
        List<Long> gaps = new ArrayList<>();
        try (Cluster cluster = Cluster.start(root, 3, Map.of());
                HoldfastClient client = HoldfastClient.builder(String.join(",", cluster.addresses()))
                        .sessionTtl(Duration.ofSeconds(30))
                        .build()) {
            List<Grant> held = new ArrayList<>();
            for (int i = 0; i < HELD; i++) {
                held.add(client.lock("held/" + i).acquire());
            }
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), CLIENTS, CLIENTS)
                    .perSecond(PER_SECOND)
                    .start();
            RecordedLoad recorded = new RecordedLoad(cluster.clients(), cluster.addresses(), 2, 2).start();
            KillTest.progress(load, PER_SECOND);
            for (int round = 0; round < ROUNDS; round++) {
                for (String name : new String[] {"n1", "n2", "n3"}) {
                    long begun = System.nanoTime();
                    assertThat(cluster.node(name).terminate()).isIn(0, 143);
                    cluster.node(name).start();
                    cluster.awaitAll();
                    KillTest.progress(load, PER_SECOND);
                    gaps.add(FailoverTest.longestGap(load, begun) / 1_000_000);
                }
            }
            load.stop();
            recorded.stop();
            Figures.tell(
                    "T28",
                    "%d restarts, one node after the other, at %d locks a second: longest time without a grant in each"
                            + " %s ms; %d acknowledged, none lost; %d of %d grants that were held throughout are valid",
                    gaps.size(),
                    PER_SECOND,
                    Figures.percentiles(gaps),
                    load.acknowledged(),
                    held.stream().filter(Grant::isValid).count(),
                    HELD);
            assertThat(held).allMatch(Grant::isValid);
            events.catchUp();
            events.verify(load);
            recorded.assertLinearizable();
            cluster.assertStatesEqual();
        }
    }
}
