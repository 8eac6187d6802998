package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients in simulated processes, used by real threads. */
@Timeout(20)
@ExtendWith(HoldfastExtension.class)
class ClientProcessTest {
    private static final Duration TTL = Duration.ofSeconds(15);

    @Test
    void lock_of_a_killed_holder_is_granted_after_its_lease_and_not_before(TestCluster cluster) throws Exception {
        Grant held = cluster.client("a").lock("k").acquire();
        CompletableFuture<Grant> next = cluster.client("b").lock("k").acquireAsync();
        cluster.kill("a");
        cluster.advance(TTL.minusSeconds(6)); // its last renewal was at most a third of the TTL ago
        assertThat(next).isNotDone();
        cluster.advance(TTL);
        assertThat(next.get(10, TimeUnit.SECONDS).token()).isGreaterThan(held.token());
        assertThat(held.isValid()).isFalse();
    }

    @Test
    void threads_that_wait_for_a_killed_client_are_told(TestCluster cluster) throws Exception {
        Grant held = cluster.client("a").lock("k").acquire();
        HoldfastClient client = cluster.client("b");
        CompletableFuture<Grant> waiting = client.lock("k").acquireAsync();
        cluster.stop("b"); // what is asked now has not even been sent
        CompletableFuture<Grant> unsent = client.lock("other").acquireAsync();
        cluster.kill("b");
        for (CompletableFuture<Grant> asked : List.of(waiting, unsent)) {
            assertThatThrownBy(() -> asked.get(10, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(UnavailableException.class)
                    .hasMessageContaining("the test killed b");
        }
        assertThatThrownBy(() -> client.lock("k").acquire()).isInstanceOf(UnavailableException.class);
        client.close();
        assertThat(held.isValid()).isTrue();
        assertThat(cluster.client("b")).as("in a new process").isNotSameAs(client);
        assertThat(cluster.client("b").lock("other").tryAcquire()).isPresent();
    }

    @Test
    void closed_client_frees_at_once_and_its_name_can_be_had_again(TestCluster cluster) throws Exception {
        HoldfastClient first = cluster.client("a");
        first.lock("k").acquire();
        assertThat(cluster.client("a")).isSameAs(first);
        assertThatThrownBy(() -> cluster.clientBuilder("a").build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("runs already");
        first.close();
        assertThat(cluster.client("b").lock("k").tryAcquire()).isPresent();
        HoldfastClient second =
                cluster.clientBuilder("a").sessionTtl(Duration.ofSeconds(2)).build();
        Grant held = second.lock("other").acquire();
        assertThat(held.remaining()).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void jumping_wall_clock_costs_no_grant(TestCluster cluster) throws Exception {
        Grant held = cluster.client("a").lock("k").acquire();
        for (Duration jump : List.of(Duration.ofHours(5), Duration.ofDays(-40), Duration.ofDays(400))) {
            cluster.jumpWallClock("a", jump);
            cluster.jumpWallClock(cluster.leader().orElseThrow(), jump);
            assertThat(held.isValid()).isTrue();
            cluster.advance(Duration.ofMinutes(1));
            assertThat(held.isValid()).isTrue();
            assertThat(held.state()).isEqualTo(Grant.State.HELD);
        }
    }

    @Test
    void callbacks_run_on_threads_that_may_block_and_use_the_cluster(TestCluster cluster) throws Exception {
        CompletableFuture<Long> taken = new CompletableFuture<>();
        Grant held = cluster.client("a").lock("k").acquire();
        held.onLost(loss -> {
            cluster.advance(Duration.ofSeconds(20));
            try {
                taken.complete(cluster.client("a").lock("k").acquire().token());
            } catch (InterruptedException e) {
                taken.completeExceptionally(e);
            }
        });
        cluster.pause("a", Duration.ofMinutes(1));
        assertThat(taken.get(10, TimeUnit.SECONDS)).isGreaterThan(held.token());
    }

    @Test
    void threads_in_parallel_count_without_losing_one_while_leaders_die(TestCluster cluster) throws Exception {
        int workers = 4;
        int turns = 25;
        AtomicInteger counter = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(2 * workers);
        List<Future<Integer>> ends = new ArrayList<>();
        for (int i = 0; i < 2 * workers; i++) {
            HoldfastClient client = cluster.client("worker-" + (i % workers)); // two threads each
            ends.add(threads.submit(() -> {
                for (int turn = 0; turn < turns; turn++) {
                    try (Grant grant = client.lock("counter").acquire()) {
                        int read = counter.get();
                        Thread.onSpinWait();
                        counter.set(read + 1);
                        assertThat(grant.token()).isPositive();
                    }
                }
                return turns;
            }));
        }
        String killed = cluster.killLeader();
        cluster.advance(Duration.ofSeconds(3));
        cluster.restart(killed);
        cluster.advance(Duration.ofSeconds(3));
        for (Future<Integer> end : ends) {
            cluster.advanceUntil(end::isDone);
            assertThat(end.get()).isEqualTo(turns);
        }
        threads.shutdown();
        assertThat(counter.get()).isEqualTo(2 * workers * turns);
    }
}
