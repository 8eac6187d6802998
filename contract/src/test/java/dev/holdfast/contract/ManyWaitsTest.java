package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What waits cost the client that waits. Alone, for it counts threads. */
@Isolated
@Timeout(120)
class ManyWaitsTest {
    @TempDir
    Path root;

    @Test
    void behaviour_28_all_waits_of_a_client_share_one_connection_and_no_thread_waits() throws Exception {
        try (LocalCluster cluster = LocalCluster.behindProxy(root);
                Operator operator = new Operator(cluster.address(0));
                HoldfastClient patient = HoldfastClient.builder(cluster.endpoints())
                        .sessionTtl(Duration.ofMinutes(10))
                        .build()) {
            Grant held = patient.lock("a").acquire();
            int threads = Thread.activeCount();
            List<CompletableFuture<Grant>> waits = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                waits.add(patient.lock("a").acquireAsync());
            }
            await().atMost(Duration.ofMinutes(1)).until(() -> operator.waiters("a") == 10_000);
            assertThat(cluster.proxy().connections()).isEqualTo(1);
            assertThat(Thread.activeCount() - threads).isLessThan(20);
            waits.subList(1, waits.size()).forEach(wait -> wait.cancel(true));
            held.close();
            waits.get(0).join().close();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> operator.locks("a").isEmpty());
        }
    }
}
