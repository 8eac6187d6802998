package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a lock must do for programs without the Java client, each on another node of a cluster. */
@Timeout(120)
abstract class WireContract {
    private static final int TTL = 20;
    private static final AtomicInteger KEYS = new AtomicInteger();

    @TempDir
    static Path root;

    static LocalCluster cluster;
    static Operator operator;

    final String key = "wire/" + KEYS.incrementAndGet();
    private Wire alice;
    private Wire bob;
    private Wire carol;

    abstract Wire connect(int node, String name);

    @SuppressWarnings("NullAway.Init")
    WireContract() {}

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        cluster = LocalCluster.start(root, 3);
        operator = new Operator(cluster.address(0));
    }

    @AfterAll
    static void stop() {
        operator.close();
        cluster.close();
    }

    @BeforeEach
    void connect() {
        alice = connect(0, "alice");
        bob = connect(1, "bob");
        carol = connect(2, "carol");
    }

    @AfterEach
    void disconnect() {
        alice.close();
        bob.close();
        carol.close();
    }

    @Test
    void tokens_of_a_key_grow_from_grant_to_grant() {
        long last = 0;
        for (int i = 0; i < 9; i++) {
            Wire client = i % 3 == 0 ? alice : i % 3 == 1 ? bob : carol;
            long token = client.lock(key, TTL).join();
            assertThat(token).isGreaterThan(last);
            assertThat(client.release(key)).isTrue();
            last = token;
        }
    }

    @Test
    void a_held_lock_is_refused_and_handed_to_who_waited_longest() {
        long held = alice.lock(key, TTL).join();
        bob.tryLock(key, TTL).ifPresent(taken -> assertThat(taken).isFalse());
        CompletableFuture<Long> first = bob.lock(key, TTL);
        awaitWaiters(1);
        CompletableFuture<Long> second = carol.lock(key, TTL);
        awaitWaiters(2);
        alice.release(key);
        assertThat(first.join()).isGreaterThan(held);
        assertThat(second).isNotDone();
        bob.release(key);
        assertThat(second.join()).isGreaterThan(first.join());
        carol.release(key);
    }

    @Test
    void a_holder_that_does_not_come_back_loses_the_lock_when_its_time_is_up() {
        long held = alice.lock(key, 1).join();
        alice.hangUp();
        assertThat(bob.lock(key, TTL).join()).isGreaterThan(held);
        bob.release(key);
    }

    @Test
    void a_second_release_frees_nothing_of_the_next_holder() {
        alice.lock(key, TTL).join();
        CompletableFuture<Long> next = bob.lock(key, TTL);
        awaitWaiters(1);
        assertThat(alice.release(key)).isTrue();
        next.join();
        assertThat(alice.release(key)).isFalse();
        assertThat(operator.locks(key)).hasSize(1);
        assertThat(bob.release(key)).isTrue();
        assertThat(operator.locks(key)).isEmpty();
    }

    @Test
    void a_lock_taken_away_by_an_operator_is_the_next_ones() {
        long held = alice.lock(key, TTL).join();
        CompletableFuture<Long> next = bob.lock(key, TTL);
        awaitWaiters(1);
        operator.force(key, held, "ops", "test");
        next.join();
        assertThat(alice.release(key)).isFalse();
        assertThat(bob.release(key)).isTrue();
    }

    void awaitWaiters(int count) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(operator.waiters(key)).isEqualTo(count));
    }
}
