package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.UnavailableException;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What clients notice when nodes of a cluster come and go. */
@Timeout(180)
class ClusterFaultTest {
    @TempDir
    Path root;

    private LocalCluster cluster;
    private HoldfastClient client;

    @BeforeEach
    void start() throws Exception {
        cluster = LocalCluster.start(root, 3);
        client = HoldfastClient.create(cluster.endpoints());
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void behaviour_08_a_rolling_restart_of_all_nodes_loses_no_grant_and_no_place() throws Exception {
        AtomicInteger losses = new AtomicInteger();
        Grant grant = client.lock("a").acquire().onLost(loss -> losses.incrementAndGet());
        CompletableFuture<Grant> waiting = client.lock("a").acquireAsync();
        for (int i = 0; i < 3; i++) {
            cluster.drain(i);
            cluster.restart(i);
            assertThat(grant.isValid()).isTrue();
        }
        assertThat(losses).hasValue(0);
        assertThat(waiting).isNotDone();
        assertThat(grant.release()).isEqualTo(Grant.Outcome.RELEASED);
        waiting.join().close();
    }

    @Test
    void behaviour_12_leader_changes_do_not_stretch_a_lease_for_ever() throws Exception {
        // Exported, so nobody renews it.
        String abandoned =
                client.lock("a").lease(Duration.ofSeconds(3)).acquire().export();
        assertThat(abandoned).isNotEmpty();
        CompletableFuture<Grant> next = client.lock("a").acquireAsync();
        int changes = 0;
        while (!next.isDone()) {
            // Were each of them to start the lease over, it would outlive any number.
            assertThat(changes).as("leader changes within one lease").isLessThan(200);
            changes += transfer() ? 1 : 0;
            // What a leader does carries its time on to the next one.
            var unused = client.lock("b").acquire().release();
        }
        next.join().close();
        assertThat(changes).isPositive();
    }

    private boolean transfer() {
        for (String address : cluster.addresses()) {
            try (Operator operator = new Operator(address)) {
                operator.transferLeadership();
                return true;
            } catch (StatusRuntimeException e) {
                // Not now, or not this one: another may.
            }
        }
        return false;
    }

    @Test
    void behaviour_36_without_a_quorum_a_call_fails_and_says_how_many_nodes_are_missing() throws Exception {
        client.lock("a").acquire().close();
        cluster.stop(1);
        cluster.stop(2);
        assertThatThrownBy(() -> client.lock("b").acquire())
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("1 of 3");
        assertThatThrownBy(() -> client.lock("b").tryAcquire()).isInstanceOf(UnavailableException.class);
        cluster.restart(1);
        client.lock("b").acquire().close();
    }

    @Test
    void any_of_the_nodes_leads_the_client_to_the_leader() throws Exception {
        for (String address : List.copyOf(cluster.addresses())) {
            try (HoldfastClient one = HoldfastClient.create(address)) {
                one.lock("a").acquire().close();
            }
        }
    }
}
