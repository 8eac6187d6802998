package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Very many sessions that only keep their leases: none of them ends, and what that costs. */
class IdleSessionsTest {
    private static final int SESSIONS = Figures.times(1_000, 20_000);
    private static final Duration TTL = Duration.ofSeconds(Figures.times(6, 30));
    private static final Duration TIME = Duration.ofSeconds(Figures.times(13, 600));

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void no_lease_ends_that_is_renewed() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, Map.of());
                IdleSessions sessions = new IdleSessions(cluster.addresses(), SESSIONS, TTL)) {
            long begun = System.nanoTime();
            long used = processorMillis(cluster);
            // How long they are idle is what is tried.
            await().pollDelay(TIME).atMost(TIME.plusMinutes(1)).until(() -> true);
            long millis = (System.nanoTime() - begun) / 1_000_000;
            int lost = sessions.lost();
            Figures.tell(
                    "T27",
                    "%d idle sessions with leases of %d s for %d s: %d ended; the three nodes took %d %% of one core",
                    SESSIONS,
                    TTL.toSeconds(),
                    millis / 1_000,
                    lost,
                    100 * (processorMillis(cluster) - used) / millis);
            assertThat(lost).as("sessions that ended").isZero();
            cluster.assertStatesEqual();
        }
    }

    private static long processorMillis(Cluster cluster) {
        return cluster.running().stream()
                .map(node -> ProcessHandle.of(node.pid()).orElseThrow().info())
                .mapToLong(info -> info.totalCpuDuration().orElseThrow().toMillis())
                .sum();
    }
}
