package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.UnavailableException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How clusters begin and end, and what they refuse. */
@Timeout(20)
class ClusterLifeTest {
    private static final long SEED = 7;

    @Test
    void no_thread_is_left_of_a_cluster() throws Exception {
        Set<Thread> before = threads();
        try (TestCluster cluster = TestCluster.start(3, SEED)) {
            cluster.client("a")
                    .lock("k")
                    .acquireAsync()
                    .thenAccept(Grant::close)
                    .get();
            cluster.kill("n1");
            assertThat(threads()).as("it has some").isNotEqualTo(before);
        }
        await().pollInSameThread().untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    @Test
    void calls_that_wait_when_a_cluster_is_closed_fail_and_so_do_later_ones() throws Exception {
        TestCluster cluster = TestCluster.start(3, SEED);
        HoldfastClient client = cluster.client("b");
        Grant held = cluster.client("a").lock("k").acquire();
        FutureTask<Grant> waiting = new FutureTask<>(() -> client.lock("k").acquire());
        Thread thread = new Thread(waiting);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.WAITING);
        cluster.close();
        cluster.close();
        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> client.lock("k").acquire()).isInstanceOf(UnavailableException.class);
        assertThat(held.isValid()).isFalse();
        assertThat(held.lost().toCompletableFuture().get(10, TimeUnit.SECONDS).detail())
                .isEqualTo("the test is over");
        held.close();
        client.close();
        assertThatThrownBy(() -> cluster.advance(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the cluster of this test is closed");
    }

    @Test
    void seed_decides_who_is_elected() {
        Set<String> elected = new HashSet<>();
        for (long seed = SEED; seed < SEED + 8; seed++) {
            assertThat(leader(seed)).isEqualTo(leader(seed));
            elected.add(leader(seed));
        }
        assertThat(elected).as("not always the same").hasSizeGreaterThan(1);
    }

    private static String leader(long seed) {
        try (TestCluster cluster = TestCluster.start(5, seed)) {
            return cluster.leader().orElseThrow();
        }
    }

    @Test
    void time_that_passes_at_once_passes_for_all() throws Exception {
        try (TestCluster cluster = TestCluster.start(1, SEED)) {
            Duration before = cluster.elapsed();
            Grant held = cluster.client("a").lock("k").acquire();
            CompletableFuture<Grant> other = cluster.client("b")
                    .lock("k")
                    .waitAtMost(Duration.ofSeconds(50))
                    .acquireAsync();
            cluster.advance(Duration.ofSeconds(40));
            assertThat(other).isNotDone();
            cluster.advanceUntil(other::isDone);
            assertThat(other).isCompletedExceptionally();
            assertThat(cluster.elapsed()).isGreaterThan(before.plusSeconds(50));
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void wrong_names_and_numbers_are_refused_with_the_right_ones() {
        assertThatThrownBy(() -> TestCluster.start(0, SEED)).hasMessage("nodes: must be from 1 to 9, is 0");
        assertThatThrownBy(() -> TestCluster.start(10, SEED)).hasMessage("nodes: must be from 1 to 9, is 10");
        try (TestCluster cluster = TestCluster.start(2, SEED)) {
            assertThatThrownBy(() -> cluster.kill("n3"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no process is called 'n3'; there are [n1, n2]");
            assertThatThrownBy(() -> cluster.cut("n1", "a")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> cluster.pause("a", Duration.ofSeconds(1)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> cluster.restart("n1")).hasMessage("'n1' runs; kill it first");
            assertThatThrownBy(() -> cluster.client("n1"))
                    .hasMessageContaining("client: 'n1' is blank or the name of a node");
            assertThatThrownBy(() -> cluster.advance(Duration.ofHours(2)))
                    .hasMessage("time: must be from 0 to PT1H, is PT2H");
            assertThatThrownBy(() -> cluster.pause("n1", Duration.ofSeconds(-1)))
                    .hasMessage("time: must be from 0 to PT1H, is PT-1S");
            assertThat(cluster.leader()).isPresent();
        }
    }
}
