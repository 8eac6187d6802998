package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.grpc.TestNode;
import dev.holdfast.server.rest.RestClient.Answer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IdempotencyTest {
    private static final String KEY = "Idempotency-Key";

    private final TestNode node = new TestNode();
    private final RestClient client = new RestClient(node.port());

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void the_same_request_with_the_same_key_is_the_same_lock() {
        Answer first = client.acquire("{\"resourceId\": \"a\", \"ttl\": 20}", KEY, "k1");
        Answer again = client.acquire("{ \"resourceId\":\"a\",\"ttl\":20 }", KEY, "k1");
        assertThat(again.status()).isEqualTo(201);
        for (String field : new String[] {"lockId", "lockToken", "fencingToken"}) {
            assertThat(again.text(field)).isEqualTo(first.text(field));
        }
        assertThat(client.release(again).status()).isEqualTo(200);
        assertThat(node.holder("a")).isEmpty();
    }

    @Test
    void another_request_with_the_same_key_is_refused_whatever_differs() {
        client.acquire("{\"resourceId\": \"a\", \"ttl\": 20}", KEY, "k1");
        for (String other : new String[] {
            "{\"resourceId\": \"b\", \"ttl\": 20}",
            "{\"resourceId\": \"a\", \"ttl\": 21}",
            "{\"resourceId\": \"a\", \"ttl\": 20, \"purpose\": \"x\"}",
        }) {
            Answer refused = client.acquire(other, KEY, "k1");
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.error()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        }
        assertThat(node.holder("b")).isEmpty();
    }

    @Test
    void another_key_is_another_request() {
        client.acquire("{\"resourceId\": \"a\"}", KEY, "k1");
        assertThat(client.acquire("{\"resourceId\": \"a\"}", KEY, "k2").status())
                .isEqualTo(409);
    }

    @Test
    void a_key_whose_lock_has_ended_never_takes_it_again() {
        Answer lock = client.acquire("{\"resourceId\": \"a\"}", KEY, "k1");
        client.release(lock);
        Answer late = client.acquire("{\"resourceId\": \"a\"}", KEY, "k1");
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.error()).isEqualTo("GRANT_ENDED");
        Answer changed = client.acquire("{\"resourceId\": \"b\"}", KEY, "k1");
        assertThat(changed.status()).isEqualTo(422);
        assertThat(node.locks()).isZero();
    }

    @Test
    void a_lock_that_was_taken_away_is_not_given_back_by_a_retry() {
        Answer lock = client.acquire("{\"resourceId\": \"a\"}", KEY, "k1");
        node.force("a", lock.body().get("fencingToken").longValue());
        Answer late = client.acquire("{\"resourceId\": \"a\"}", KEY, "k1");
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.error()).isEqualTo("GRANT_ENDED");
    }

    @Test
    void a_refusal_is_repeated_even_when_the_lock_is_free_by_then() {
        Answer held = client.acquire("{\"resourceId\": \"a\"}");
        assertThat(client.acquire("{\"resourceId\": \"a\"}", KEY, "k1").error()).isEqualTo("LOCK_ALREADY_HELD");
        client.release(held);
        assertThat(client.acquire("{\"resourceId\": \"a\"}", KEY, "k1").error()).isEqualTo("LOCK_ALREADY_HELD");
        assertThat(node.holder("a")).isEmpty();
    }

    @Test
    void a_retry_of_a_waiting_request_shares_its_place() {
        Answer held = client.acquire("{\"resourceId\": \"a\"}");
        String body = "{\"resourceId\": \"a\", \"blocking\": true}";
        CompletableFuture<Answer> first = client.async("POST", RestClient.LOCKS, body, KEY, "k1");
        await().until(() -> node.waiters("a") == 1);
        CompletableFuture<Answer> second = client.async("POST", RestClient.LOCKS, body, KEY, "k1");
        CompletableFuture<Answer> third = client.async("POST", RestClient.LOCKS, body, KEY, "k2");
        await().until(() -> node.waiters("a") == 2);
        client.release(held);
        assertThat(second.join().text("lockToken")).isEqualTo(first.join().text("lockToken"));
        assertThat(third).isNotDone();
        client.release(first.join());
        assertThat(third.join().status()).isEqualTo(201);
    }

    @Test
    void what_may_be_a_retry_is_never_refused_by_one_node_alone() {
        client.acquire("{\"resourceId\": \"b\"}");
        Answer refused = client.acquire("{\"resourceId\": \"b\", \"staleDenial\": true}", KEY, "k2");
        assertThat(refused.body().get("stale").booleanValue()).isFalse();
        client.acquire("{\"resourceId\": \"a\", \"staleDenial\": true}", KEY, "k1");
        assertThat(client.acquire("{\"resourceId\": \"a\", \"staleDenial\": true}", KEY, "k1")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void an_empty_or_endless_key_is_refused() {
        Answer refused = client.acquire("{\"resourceId\": \"a\"}", KEY, "x".repeat(256));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("field")).isEqualTo(KEY);
    }
}
