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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queues as clients see them. */
@Timeout(120)
class WaitingTest {
    private static final int CLIENTS = 12;

    @TempDir
    Path root;

    private LocalCluster cluster;
    private Operator operator;
    private final List<HoldfastClient> clients = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        cluster = LocalCluster.start(root, 1);
        operator = new Operator(cluster.address(0));
    }

    @AfterEach
    void stop() {
        clients.forEach(HoldfastClient::close);
        operator.close();
        cluster.close();
    }

    private HoldfastClient client(String endpoint) {
        HoldfastClient client = HoldfastClient.builder(endpoint)
                .sessionTtl(Duration.ofMinutes(10))
                .build();
        clients.add(client);
        return client;
    }

    @Test
    void behaviour_25_a_release_wakes_exactly_the_one_that_is_granted() throws Exception {
        Grant held = client(cluster.address(0)).lock("a").acquire();
        List<Proxy> proxies = new ArrayList<>();
        List<CompletableFuture<Grant>> waits = new ArrayList<>();
        int port =
                Integer.parseInt(cluster.address(0).substring(cluster.address(0).indexOf(':') + 1));
        for (int i = 0; i < CLIENTS; i++) {
            Proxy proxy = new Proxy(port);
            proxies.add(proxy);
            // Through its own proxy, and told of no other way: only its first stream is of interest.
            waits.add(client("127.0.0.1:" + proxy.port()).lock("a").acquireAsync());
            int waiters = i + 1;
            await().until(() -> operator.waiters("a") == waiters);
        }
        await().until(() -> isQuiet(proxies));
        List<Long> before = proxies.stream().map(Proxy::bytesToClient).toList();
        held.release();
        waits.get(0).join();
        await().until(() -> isQuiet(proxies));
        for (int i = 1; i < CLIENTS; i++) {
            assertThat(proxies.get(i).bytesToClient()).as("client " + i).isEqualTo(before.get(i));
            assertThat(waits.get(i)).isNotDone();
        }
        assertThat(proxies.get(0).bytesToClient()).isGreaterThan(before.get(0));
        clients.forEach(HoldfastClient::close);
        clients.clear();
        proxies.forEach(Proxy::close);
    }

    /** Whether nothing is sent to anybody for a while. */
    private static boolean isQuiet(List<Proxy> proxies) {
        long before = sent(proxies);
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        return sent(proxies) == before;
    }

    private static long sent(List<Proxy> proxies) {
        return proxies.stream().mapToLong(Proxy::bytesToClient).sum();
    }

    @Test
    void behaviour_27_waiters_that_leave_are_out_of_the_queue_at_once_and_order_holds() throws Exception {
        Grant held = client(cluster.address(0)).lock("a").acquire();
        List<HoldfastClient> waiting = new ArrayList<>();
        List<CompletableFuture<Grant>> waits = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            HoldfastClient client = client(cluster.address(0));
            waiting.add(client);
            waits.add(client.lock("a").acquireAsync());
            int waiters = i + 1;
            await().until(() -> operator.waiters("a") == waiters);
        }
        waiting.get(0).close();
        waiting.get(2).close();
        await().until(() -> operator.waiters("a") == 2);
        held.close();
        Grant second = waits.get(1).join();
        assertThat(waits.get(3)).isNotDone();
        second.close();
        waits.get(3).join().close();
    }

    @Test
    void behaviour_29_thousands_of_leases_are_kept_alive_by_one_client() throws Exception {
        int leases = 9_000;
        HoldfastClient client = client(cluster.address(0));
        List<CompletableFuture<Grant>> grants = new ArrayList<>();
        for (int i = 0; i < leases; i++) {
            grants.add(client.lock("k" + i).lease(Duration.ofSeconds(12)).acquireAsync());
        }
        grants.forEach(CompletableFuture::join);
        // Longer than any of them would last on its own.
        await().atMost(Duration.ofMinutes(1))
                .during(Duration.ofSeconds(14))
                .until(() -> grants.stream().allMatch(grant -> grant.join().isValid()));
        grants.forEach(grant -> grant.join().close());
        await().atMost(Duration.ofSeconds(30)).until(() -> operator.locks("").isEmpty());
    }
}
