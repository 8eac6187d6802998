package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Deposition;
import dev.holdfast.client.api.Election;
import dev.holdfast.client.api.Leadership;
import dev.holdfast.client.api.Loss;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ElectionLossTest {
    @Test
    void behaviour_09_leader_that_cannot_reach_the_cluster_is_deposed_once_and_can_be_elected_again(@TempDir Path root)
            throws Exception {
        Queue<Deposition> told = new ConcurrentLinkedQueue<>();
        Queue<Leadership> elected = new ConcurrentLinkedQueue<>();
        try (LocalCluster cluster = LocalCluster.start(root, 1);
                HoldfastClient client = HoldfastClient.builder(cluster.endpoints())
                        .sessionTtl(Duration.ofSeconds(2))
                        .build();
                Election election = client.election("lost")) {
            election.onElected(elected::add).onDeposed(told::add);
            Leadership first = election.campaign("v");
            cluster.stop(0);
            await().atMost(Duration.ofSeconds(30)).until(() -> !told.isEmpty());
            assertThat(election.isLeader()).isFalse();
            assertThat(told).singleElement().satisfies(deposition -> {
                assertThat(deposition.leadership()).isEqualTo(first);
                assertThat(deposition.loss().map(Loss::reason)).contains(Loss.Reason.UNREACHABLE);
            });
            cluster.restart(0);
            Leadership second = election.campaign("v");
            assertThat(second.epoch()).isGreaterThan(first.epoch());
            await().untilAsserted(() -> assertThat(elected).containsExactly(first, second));
            assertThat(told).hasSize(1);
        }
    }
}
