package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.RetryPolicy;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.protocol.v1.Holder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client knows of its grants when the network fails it. */
@Timeout(120)
class LossTest {
    private static final Duration TTL = Duration.ofSeconds(2);

    @TempDir
    Path root;

    private LocalCluster cluster;
    private Operator operator;
    private HoldfastClient client;

    @BeforeEach
    void start() throws Exception {
        cluster = LocalCluster.behindProxy(root);
        operator = new Operator(cluster.address(0));
        client = connect(cluster.endpoints());
    }

    private static HoldfastClient connect(String endpoints) {
        return HoldfastClient.builder(endpoints)
                .sessionTtl(TTL)
                .retry(RetryPolicy.DEFAULT.patience(Duration.ofSeconds(3)))
                .build();
    }

    @AfterEach
    void stop() {
        cluster.proxy().heal();
        client.close();
        operator.close();
        cluster.close();
    }

    @Test
    void behaviour_01_a_loss_is_told_no_later_than_the_deadline_network_or_not() throws Exception {
        HoldfastClient other = connect(cluster.address(0));
        try (other) {
            Grant grant = client.lock("a").acquire();
            CompletableFuture<Boolean> validWhenTold = new CompletableFuture<>();
            CompletableFuture<Loss> loss = new CompletableFuture<>();
            grant.onLost(told -> {
                validWhenTold.complete(grant.isValid());
                loss.complete(told);
            });
            cluster.proxy().cut();
            // The cluster gives the lock away only after its old holder has stopped believing in it.
            Grant next = other.lock("a").acquire();
            assertThat(grant.isValid()).isFalse();
            assertThat(loss.join().reason()).isEqualTo(Loss.Reason.UNREACHABLE);
            assertThat(validWhenTold.join()).isFalse();
            assertThat(grant.lost().toCompletableFuture().join()).isEqualTo(loss.join());
            assertThat(next.token()).isGreaterThan(grant.token());
        }
    }

    @Test
    void behaviour_04_jeopardy_comes_before_the_loss_and_what_arrives_later_does_not_bring_it_back() throws Exception {
        Grant grant = client.lock("a").acquire();
        List<String> told = new CopyOnWriteArrayList<>();
        grant.onJeopardy(() -> told.add("jeopardy " + grant.isValid()));
        grant.onLost(loss -> told.add("lost"));
        // The cluster goes on hearing and answering renewals; the answers come too late.
        cluster.proxy().cutAnswers();
        await().until(() -> told.contains("lost"));
        assertThat(told).first().isEqualTo("jeopardy true");
        cluster.proxy().heal();
        assertThat(grant.isValid()).isFalse();
        assertThat(grant.state()).isEqualTo(Grant.State.LOST);
        // A new session takes its place, and the old lease is ended rather than renewed.
        try (Grant next = client.lock("a").acquire()) {
            assertThat(next.token()).isGreaterThan(grant.token());
        }
        await().untilAsserted(() -> assertThat(operator.leases("")).hasSize(1));
    }

    @Test
    void behaviour_07_a_break_that_heals_within_the_lease_is_no_loss() throws Exception {
        Grant grant = client.lock("a").acquire();
        AtomicInteger losses = new AtomicInteger();
        AtomicInteger jeopardies = new AtomicInteger();
        grant.onLost(loss -> losses.incrementAndGet());
        grant.onJeopardy(jeopardies::incrementAndGet);
        for (int i = 0; i < 5; i++) {
            cluster.proxy().sever();
            await().during(Duration.ofMillis(500)).until(grant::isValid);
        }
        assertThat(losses).hasValue(0);
        assertThat(grant.state()).isEqualTo(Grant.State.HELD);
        assertThat(grant.release()).isEqualTo(Grant.Outcome.RELEASED);
    }

    @Test
    void what_ended_while_the_client_was_away_is_known_as_soon_as_it_is_back() throws Exception {
        HoldfastClient patient = HoldfastClient.builder(cluster.endpoints())
                .sessionTtl(Duration.ofMinutes(10))
                .build();
        try (patient) {
            Grant taken = patient.lock("a").acquire();
            Grant kept = patient.lock("b").acquire();
            CompletableFuture<Loss> loss = taken.lost().toCompletableFuture();
            cluster.proxy().cut();
            operator.force("a", taken.token(), "ops", "test");
            cluster.proxy().sever();
            cluster.proxy().heal();
            patient.lock("c").acquire().close();
            assertThat(loss.join().reason()).isEqualTo(Loss.Reason.REVOKED);
            assertThat(kept.isValid()).isTrue();
        }
    }

    @Test
    void behaviour_17_a_grant_whose_answer_was_lost_is_taken_back_by_the_cancellation() throws Exception {
        client.lock("warm").acquire().close();
        cluster.proxy().cutAnswers();
        CompletableFuture<Grant> future = client.lock("a").acquireAsync();
        await().untilAsserted(() -> assertThat(operator.locks("a")).hasSize(1));
        assertThat(future).isNotDone();
        future.cancel(true);
        await().untilAsserted(() -> assertThat(operator.locks("a")).isEmpty());
        cluster.proxy().heal();
        client.lock("a").acquire().close();
    }

    @Test
    void behaviour_20_a_release_is_repeated_until_it_is_certain() throws Exception {
        HoldfastClient patient = HoldfastClient.builder(cluster.endpoints())
                .sessionTtl(Duration.ofMinutes(10))
                .build();
        try (patient) {
            Grant grant = patient.lock("a").acquire();
            cluster.proxy().cut();
            CompletableFuture<Grant.Outcome> outcome = grant.releaseAsync();
            cluster.proxy().sever();
            assertThat(operator.locks("a")).hasSize(1);
            cluster.proxy().heal();
            assertThat(outcome.join()).isEqualTo(Grant.Outcome.RELEASED);
            assertThat(operator.locks("a")).isEmpty();
        }
    }

    @Test
    void behaviour_26_a_wait_keeps_its_place_over_a_new_connection_and_finds_a_grant_it_was_not_told_of()
            throws Exception {
        HoldfastClient patient = HoldfastClient.builder(cluster.endpoints())
                .sessionTtl(Duration.ofMinutes(10))
                .build();
        HoldfastClient other = connect(cluster.address(0));
        try (patient;
                other) {
            Grant held = other.lock("a").acquire();
            CompletableFuture<Grant> first = patient.lock("a").acquireAsync();
            await().until(() -> operator.waiters("a") == 1);
            CompletableFuture<Grant> second = other.lock("a").acquireAsync();
            await().until(() -> operator.waiters("a") == 2);
            cluster.proxy().sever();
            cluster.proxy().cutAnswers();
            held.release(); // granted to one who cannot hear it
            cluster.proxy().sever();
            cluster.proxy().heal();
            Grant granted = first.join();
            assertThat(second).isNotDone();
            granted.close();
            second.join().close();
        }
    }

    @Test
    void behaviour_36_without_the_cluster_a_call_fails_in_bounded_time_and_says_what_is_missing() {
        cluster.stop(0);
        assertThatThrownBy(() -> client.lock("a").acquire())
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining(cluster.endpoints());
    }

    @Test
    void adopting_without_the_cluster_fails_in_bounded_time() throws Exception {
        String text = client.lock("a").lease(Duration.ofMinutes(1)).acquire().export();
        cluster.stop(0);
        assertThatThrownBy(() -> client.adopt(text)).isInstanceOf(UnavailableException.class);
    }

    @Test
    void a_wait_without_an_answer_ends_soon_after_its_time() throws Exception {
        client.lock("warm").acquire().close();
        cluster.proxy().cut();
        assertThatThrownBy(() ->
                        client.lock("a").waitAtMost(Duration.ofMillis(100)).acquire())
                .isInstanceOf(UnavailableException.class);
    }

    @Test
    void require_valid_throws_before_work_that_could_not_be_finished_in_time() throws Exception {
        try (Grant grant = client.lock("a").acquire()) {
            grant.requireValid(Duration.ofMillis(100));
            assertThatThrownBy(() -> grant.requireValid(TTL))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("a");
        }
    }

    @Test
    void behaviour_19_a_waiter_whose_lease_is_gone_is_never_granted_the_lock() throws Exception {
        HoldfastClient other = connect(cluster.address(0));
        try (other) {
            Grant held = other.lock("a").acquire();
            CompletableFuture<Grant> dead = client.lock("a").acquireAsync();
            await().until(() -> operator.waiters("a") == 1);
            CompletableFuture<Grant> alive = other.lock("a").acquireAsync();
            await().until(() -> operator.waiters("a") == 2);
            cluster.proxy().cut();
            assertThatThrownBy(dead::join).hasCauseInstanceOf(UnavailableException.class);
            await().until(() -> operator.waiters("a") == 1);
            held.close();
            alive.join().close();
        }
    }

    @Test
    void behaviour_16_after_a_loss_the_key_stays_closed_for_the_lock_delay_and_shows_it() throws Exception {
        HoldfastClient other = connect(cluster.address(0));
        try (other) {
            Grant grant = client.lock("a").lockDelay(Duration.ofSeconds(2)).acquire();
            cluster.proxy().cut();
            assertThat(grant.lost().toCompletableFuture().join().reason()).isEqualTo(Loss.Reason.UNREACHABLE);
            await().until(() -> operator.locks("a").stream()
                    .anyMatch(lock -> lock.getHoldersList().stream().anyMatch(Holder::getLingering)));
            assertThat(other.lock("a").tryAcquire()).isEmpty();
            other.lock("a").acquire().close();
            // After a release there is no such delay.
            other.lock("a").lockDelay(Duration.ofMinutes(1)).acquire().release();
            other.lock("a").acquire().close();
        }
    }
}
