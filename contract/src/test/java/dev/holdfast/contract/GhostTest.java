package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockTimeoutException;
import dev.holdfast.embedded.Holdfast;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Nothing stays behind: no lease, no waiter, no name. Alone, for it looks at the heap. */
@Isolated
@Timeout(300)
class GhostTest {
    private static final boolean LONG = Boolean.getBoolean("holdfast.long");

    @TempDir
    Path root;

    private Holdfast holdfast;
    private Operator operator;

    @BeforeEach
    void start() throws Exception {
        holdfast = Holdfast.embedded(root);
        operator = new Operator(holdfast.channel());
    }

    @AfterEach
    void stop() {
        operator.close();
        holdfast.close();
    }

    @Test
    void behaviour_05_ten_thousand_random_sequences_of_acquire_interrupt_cancel_and_close_leave_nothing()
            throws Exception {
        long seed = Long.getLong("holdfast.seed", System.nanoTime());
        try (HoldfastClient client = holdfast.client()) {
            List<Thread> threads = new ArrayList<>();
            AtomicLong done = new AtomicLong();
            for (int t = 0; t < 8; t++) {
                SplittableRandom random = new SplittableRandom(seed + t);
                Thread thread = new Thread(() -> {
                    while (done.incrementAndGet() <= 10_000) {
                        sequence(client, random);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            await("seed " + seed)
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(operator.locks("")).isEmpty());
            // All that is left is the one lease of the session; locks with leases of their own took theirs with them.
            await("seed " + seed)
                    .untilAsserted(() -> assertThat(operator.leases("")).hasSizeLessThanOrEqualTo(1));
        }
        assertThat(operator.leases("")).as("seed " + seed).isEmpty();
    }

    private static void sequence(HoldfastClient client, SplittableRandom random) {
        var call = client.lock("k" + random.nextInt(4));
        if (random.nextInt(4) == 0) {
            call.shared();
        }
        if (random.nextInt(8) == 0) {
            call.lease(Duration.ofMinutes(1));
        }
        if (random.nextInt(3) == 0) {
            call.waitAtMost(Duration.ofMillis(random.nextInt(20)));
        }
        try {
            if (random.nextBoolean()) {
                CompletableFuture<Grant> future = call.acquireAsync();
                if (random.nextBoolean()) {
                    Thread.onSpinWait();
                    if (!future.cancel(true)) {
                        future.join().close(); // it came first, and is the caller's
                    }
                } else {
                    future.join().close();
                }
            } else {
                if (random.nextInt(3) == 0) {
                    Thread.currentThread().interrupt();
                }
                Grant grant = call.acquire();
                if (random.nextBoolean()) {
                    grant.release();
                }
                grant.close();
            }
        } catch (InterruptedException | CompletionException e) {
            // What was asked for: nothing may be left all the same.
        } catch (LockTimeoutException e) {
            // Likewise.
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void behaviour_23_names_used_once_leave_nothing_in_client_or_server() throws Exception {
        int names = LONG ? 1_000_000 : 60_000;
        try (HoldfastClient client = holdfast.client()) {
            // The history of events is bounded and fills first.
            use(client, "warm", 40_000);
            long before = usedHeap();
            use(client, "once", names);
            assertThat(operator.locks("")).isEmpty();
            long grown = usedHeap() - before;
            // A hundred bytes for each name would be six megabytes, or a hundred in the long run.
            assertThat(grown).isLessThan(100L * names);
        }
    }

    private static void use(HoldfastClient client, String prefix, int names) throws Exception {
        Semaphore inFlight = new Semaphore(1_000);
        for (int i = 0; i < names; i++) {
            inFlight.acquire();
            var unused = client.lock(prefix + "/" + i).acquireAsync().whenComplete((grant, failure) -> {
                if (grant != null) {
                    grant.close();
                }
                inFlight.release();
            });
        }
        inFlight.acquire(1_000);
        client.lock(prefix).acquire().release();
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    @Test
    void behaviour_24_many_first_acquires_at_once_make_one_session() throws Exception {
        try (HoldfastClient client = holdfast.clientBuilder().clientId("single").build()) {
            List<CompletableFuture<Grant>> grants = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 32; t++) {
                String key = "k" + t;
                CompletableFuture<Grant> granted = new CompletableFuture<>();
                grants.add(granted);
                Thread thread = new Thread(() -> {
                    try {
                        granted.complete(client.lock(key).acquire());
                    } catch (InterruptedException e) {
                        granted.completeExceptionally(e);
                    }
                });
                threads.add(thread);
            }
            threads.forEach(Thread::start);
            grants.forEach(CompletableFuture::join);
            assertThat(operator.leases("single")).hasSize(1);
            grants.forEach(grant -> grant.join().close());
        }
    }

    @Test
    void an_idle_client_costs_the_cluster_nothing() throws Exception {
        operator.shortestTtl(50);
        try (HoldfastClient client =
                holdfast.clientBuilder().sessionTtl(Duration.ofMillis(400)).build()) {
            client.lock("a").acquire().close();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(operator.leases("")).isEmpty());
            client.lock("a").acquire().close();
        }
    }

    @Test
    void behaviour_14_leases_of_milliseconds_are_kept_alive_down_to_the_floor() throws Exception {
        operator.shortestTtl(50);
        try (HoldfastClient client =
                holdfast.clientBuilder().sessionTtl(Duration.ofMillis(500)).build()) {
            Grant grant = client.lock("a").acquire();
            await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(10)).until(grant::isValid);
            assertThat(operator.leases(""))
                    .singleElement()
                    .satisfies(lease -> assertThat(lease.getGrantedTtlMs()).isEqualTo(500));
        }
    }
}
