package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.protocol.v1.GetRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The Java client while real servers are killed and stopped. */
class ClientTest {
    private static final Duration TTL = Duration.ofSeconds(8);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void behaviour_26_waits_keep_their_places_while_the_leader_is_killed_and_each_is_granted_once() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, Map.of("election-profile", "fast"));
                HoldfastClient client = connect(cluster)) {
            Grant held = client.lock("a").acquire();
            List<CompletableFuture<Grant>> waits = new ArrayList<>();
            List<Long> order = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                waits.add(client.lock("a").acquireAsync());
            }
            awaitWaiters(cluster, 10);
            NodeProcess leader = cluster.awaitLeader();
            leader.kill();
            held.close();
            for (CompletableFuture<Grant> wait : waits) {
                Grant granted = wait.join();
                order.add(granted.token());
                assertThat(granted.isValid()).isTrue();
                assertThat(waits.stream().filter(CompletableFuture::isDone)).hasSize(order.size());
                granted.close();
            }
            assertThat(order).isSorted().doesNotHaveDuplicates();
            leader.start();
            cluster.awaitAll();
            cluster.assertStatesEqual();
        }
    }

    @Test
    void behaviour_13_a_leader_that_stood_still_does_not_end_a_lease_that_was_renewed_meanwhile() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, Map.of("election-profile", "fast"));
                HoldfastClient client = connect(cluster)) {
            AtomicInteger losses = new AtomicInteger();
            Grant grant = client.lock("a").acquire().onLost(loss -> losses.incrementAndGet());
            NodeProcess leader = cluster.awaitLeader();
            leader.pause();
            // As long as its lease lasts, and then some: somebody else leads and renews it.
            await().atMost(Duration.ofSeconds(60)).during(TTL.plusSeconds(2)).until(grant::isValid);
            leader.resume();
            cluster.awaitAll();
            client.lock("b").acquire().close();
            assertThat(losses).hasValue(0);
            assertThat(grant.release()).isEqualTo(Grant.Outcome.RELEASED);
        }
    }

    private static HoldfastClient connect(Cluster cluster) {
        return HoldfastClient.builder(String.join(",", cluster.addresses()))
                .sessionTtl(TTL)
                .build();
    }

    private static void awaitWaiters(Cluster cluster, int count) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> cluster.clients()
                                .locks(cluster.addresses().get(0))
                                .get(GetRequest.newBuilder().setName("a").build())
                                .getLock()
                                .getWaiterCount()
                        == count);
    }
}
