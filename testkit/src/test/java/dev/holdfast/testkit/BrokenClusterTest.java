package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.UnavailableException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that die and networks that break, as clients see them. */
@Timeout(20)
@ExtendWith(HoldfastExtension.class)
class BrokenClusterTest {
    @Test
    void killed_leader_costs_neither_a_grant_nor_a_place(TestCluster cluster) throws Exception {
        Grant held = cluster.client("a").lock("k").acquire();
        CompletableFuture<Grant> second = cluster.client("b").lock("k").acquireAsync();
        cluster.advanceUntil(() -> waiters(cluster, "k") == 1);
        CompletableFuture<Grant> third = cluster.client("c").lock("k").acquireAsync();
        cluster.advanceUntil(() -> waiters(cluster, "k") == 2);

        String killed = cluster.killLeader();
        cluster.advance(Duration.ofSeconds(5));
        assertThat(cluster.leader()).isPresent().get().isNotEqualTo(killed);
        assertThat(held.isValid()).isTrue();
        assertThat(second).isNotDone();

        held.close();
        assertThat(second.get(10, TimeUnit.SECONDS).token()).isGreaterThan(held.token());
        assertThat(third).isNotDone();
    }

    private static int waiters(TestCluster cluster, String key) {
        try {
            return cluster.client("watcher")
                    .get(key)
                    .map(lock -> lock.waiters().size())
                    .orElse(0);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void minority_grants_nothing_and_its_holder_gives_up_before_another_is_granted(TestCluster cluster)
            throws Exception {
        HoldfastClient inside = cluster.client("inside");
        HoldfastClient outside = cluster.client("outside");
        Grant held = inside.lock("k").acquire();
        String leader = cluster.leader().orElseThrow();
        Set<String> majority =
                cluster.nodes().stream().filter(node -> !node.equals(leader)).collect(Collectors.toSet());
        majority.add("outside");
        cluster.partition(Set.of(leader, "inside"), majority);

        CompletableFuture<Boolean> heldByBoth =
                outside.lock("k").acquireAsync().thenApply(granted -> granted.isValid() && held.isValid());
        cluster.advance(Duration.ofMinutes(1));
        assertThat(heldByBoth.get(10, TimeUnit.SECONDS)).isFalse();
        CompletableFuture<Grant> alone = inside.lock("other").acquireAsync();
        cluster.advanceUntil(alone::isDone);
        assertThatThrownBy(alone::join).hasCauseInstanceOf(UnavailableException.class);

        cluster.heal();
        assertThat(inside.lock("other").acquire().isValid()).isTrue();
    }

    @Test
    void holder_that_hears_nothing_loses_its_grant_though_it_is_heard(TestCluster cluster) throws Exception {
        Grant held = cluster.client("a").lock("k").acquire();
        cluster.nodes().forEach(node -> cluster.cut(node, "a"));
        cluster.advance(Duration.ofMinutes(1));
        assertThat(held.isValid()).isFalse();
    }

    @Test
    void isolated_client_is_refused_and_goes_on_when_the_network_heals(TestCluster cluster) throws Exception {
        HoldfastClient client = cluster.client("a");
        cluster.isolate("a");
        CompletableFuture<Grant> asked = client.lock("k").acquireAsync();
        cluster.advanceUntil(asked::isDone);
        assertThatThrownBy(asked::join).hasCauseInstanceOf(UnavailableException.class);
        cluster.heal();
        assertThat(client.lock("k").acquire().isValid()).isTrue();
    }

    @Test
    void nothing_is_granted_without_a_majority_and_nothing_is_forgotten(TestCluster cluster) throws Exception {
        HoldfastClient client = cluster.client("a");
        Grant held = client.lock("k").acquire();
        cluster.kill("n1");
        cluster.kill("n2");
        CompletableFuture<Grant> asked = client.lock("other").acquireAsync();
        cluster.advance(Duration.ofSeconds(5));
        assertThat(asked).isNotDone();
        cluster.restart("n1");
        cluster.restart("n2");
        assertThat(asked.get(10, TimeUnit.SECONDS).token()).isGreaterThan(held.token());
        assertThat(held.isValid()).isTrue();
    }
}
