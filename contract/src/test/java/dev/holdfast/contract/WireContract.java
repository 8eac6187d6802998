package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
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
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What a lock must do for programs without the Java client, each on another node of a cluster.
 *
 * <p>It is {@link LockContract} without what has no meaning over these wires:
 *
 * <ul>
 *   <li>whatever a client does by itself: interrupts, callbacks and futures, a grant that is invalid by the client's own
 *       clock (behaviours 3, 22), a closed client that gives everything back (11): a wire has no session, each lock is
 *       alone;
 *   <li>deadlocks (32): who has one lock per lease waits for no longer than was asked;
 *   <li>upgrade and downgrade: there are no such requests.
 * </ul>
 *
 * <p>Modes, kinds, sets, timeouts, the longest hold, purposes (2, 10, 18, 30, 31, 34) are asked for over REST alone, in
 * {@link RestContractTest}: the WebSocket messages have no fields for them.
 */
@Timeout(120)
@ResourceLock("the cluster of all that run this contract")
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

    @Test
    void a_free_lock_is_granted_and_shown_to_others_until_it_is_given_back() {
        long token = alice.lock(key, TTL).join();
        assertThat(operator.locks(key))
                .singleElement()
                .satisfies(
                        lock -> assertThat(lock.getHolders(0).getFencingToken()).isEqualTo(token));
        assertThat(alice.release(key)).isTrue();
        assertThat(operator.locks(key)).isEmpty();
    }

    @Test
    void who_gives_up_leaves_the_queue_and_nothing_behind() {
        alice.lock(key, TTL).join();
        CompletableFuture<Long> given = bob.lock(key, TTL);
        awaitWaiters(1);
        bob.giveUp(key);
        awaitWaiters(0);
        assertThat(alice.release(key)).isTrue();
        assertThat(operator.locks(key)).isEmpty();
        assertThat(given).isNotCompleted();
    }

    @Test
    void a_lock_that_was_lost_can_be_had_again_by_who_lost_it() {
        long lost = alice.lock(key, TTL).join();
        operator.force(key, lost, "ops", "test");
        assertThat(alice.lock(key, TTL).join()).isGreaterThan(lost);
        assertThat(alice.release(key)).isTrue();
    }

    @Test
    void a_renewed_lock_outlives_its_first_time_and_keeps_its_token() {
        int brief = 3;
        long token = alice.lock(key, brief).join();
        // Taken later for longer and not renewed: when it is gone, so would be the other.
        String clock = key + "/clock";
        carol.lock(clock, brief + 2).join();
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            alice.renew(key, brief);
            return operator.locks(clock).isEmpty();
        });
        assertThat(operator.locks(key))
                .singleElement()
                .satisfies(
                        lock -> assertThat(lock.getHolders(0).getFencingToken()).isEqualTo(token));
        assertThat(alice.release(key)).isTrue();
    }

    @Test
    void bad_input_is_refused_by_name_and_changes_nothing() {
        assertThat(alice.refusal("x".repeat(600), TTL).get("message").asText()).contains("the limit is 512");
        JsonNode noTime = alice.refusal(key, 0);
        assertThat(noTime.get("error").asText()).isEqualTo("INVALID_ARGUMENT");
        assertThat(noTime.get("field").asText()).isEqualTo("ttl");
        assertThat(operator.locks(key)).isEmpty();
        // The connection is as good as before.
        alice.lock(key, TTL).join();
        assertThat(alice.release(key)).isTrue();
    }

    void awaitWaiters(int count) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(operator.waiters(key)).isEqualTo(count));
    }
}
