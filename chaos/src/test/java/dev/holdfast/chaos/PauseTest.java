package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Processes that stand still: for as long as a garbage collection may take, and for longer than the engine bears. Alone,
 * for others that take the processor would be such pauses, too.
 */
@Isolated
class PauseTest {
    /** Well below the shortest election time, 1 s. */
    private static final Duration SHORT = Duration.ofMillis(300);

    /** Minutes otherwise. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void a_leader_that_stands_still_for_less_than_an_election_stays_leader() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, Map.of())) {
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 50);
            NodeProcess leader = cluster.awaitLeader();
            long term = cluster.status(leader).orElseThrow().getHeader().getRaftTerm();
            for (int i = 0; i < 5; i++) {
                leader.pause();
                await().pollDelay(SHORT).until(() -> true); // the length of the pause is the fault itself
                leader.resume();
                KillTest.progress(load, 50);
            }
            assertThat(cluster.awaitLeader()).isSameAs(leader);
            assertThat(cluster.status(leader).orElseThrow().getHeader().getRaftTerm())
                    .isEqualTo(term);
            load.stop();
        }
    }

    @Test
    void a_node_whose_engine_gave_up_after_a_long_pause_ends_and_takes_part_again_once_restarted() throws Exception {
        try (Cluster cluster = Cluster.prepare(root, 3, Map.of("election-profile", "fast"))) {
            NodeProcess victim = cluster.node("n2");
            victim.with(Map.of("JAVA_TOOL_OPTIONS", "-Dholdfast.test.longest-pause-ms=" + LONGEST.toMillis()));
            cluster.startAll();
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 50);

            victim.pause();
            await().pollDelay(LONGEST.plusSeconds(1)).until(() -> true); // the length of the pause is the fault itself
            KillTest.progress(load, 50);
            victim.resume();
            assertThat(victim.awaitExit()).isEqualTo(70);
            assertThat(victim.output())
                    .containsPattern("holdfast: the engine (closed|stopped) (itself|by itself).*start again");

            victim.start();
            cluster.awaitAll();
            KillTest.progress(load, 50);
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        }
    }
}
