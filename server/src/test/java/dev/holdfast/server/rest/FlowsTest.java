package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.core.Limit;
import dev.holdfast.server.InstantLog;
import dev.holdfast.server.grpc.TestNode;
import dev.holdfast.server.rest.RestClient.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The six flows that any program goes through with a lock, with their status codes. */
@Timeout(60)
class FlowsTest {
    private final TestNode node = new TestNode();
    private final RestClient client = new RestClient(node.port());

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void flow_1_a_free_lock_is_taken() {
        Answer lock = client.acquire("{\"resourceId\": \"order:12345\", \"ttl\": 30}");
        assertThat(lock.status()).isEqualTo(201);
        assertThat(lock.body().get("success").booleanValue()).isTrue();
        assertThat(lock.text("resourceId")).isEqualTo("order:12345");
        assertThat(lock.text("lockId")).isNotEmpty();
        assertThat(lock.text("lockToken")).hasSizeGreaterThanOrEqualTo(32);
        assertThat(lock.text("fencingTokenString"))
                .isEqualTo(lock.body().get("fencingToken").asText());
        assertThat(lock.body().get("expiresInMs").longValue()).isBetween(1L, 30_000L);
        assertThat(Instant.parse(lock.text("expiresAt"))).isAfter(Instant.EPOCH);
        assertThat(lock.response().headers().firstValue("location"))
                .hasValue(RestClient.LOCKS + "/" + lock.text("lockId"));
        assertThat(node.holder("order:12345")).isEqualTo("127.0.0.1");
    }

    @Test
    void flow_2_a_held_lock_is_refused_with_its_owner_and_when_to_come_back() {
        client.acquire("{\"resourceId\": \"order:12345\", \"ttl\": 25, \"clientId\": \"client-A\"}");
        Answer refused = client.acquire("{\"resourceId\": \"order:12345\"}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("LOCK_ALREADY_HELD");
        assertThat(refused.text("owner")).isEqualTo("client-A");
        assertThat(refused.body().get("retryAfter").intValue()).isBetween(1, 25);
        assertThat(refused.response().headers().firstValue("retry-after")).hasValue(refused.text("retryAfter"));
        assertThat(refused.body().get("stale").booleanValue()).isFalse();
    }

    @Test
    void flow_2_a_node_without_a_leader_refuses_from_what_it_knows_if_that_is_allowed() {
        client.acquire("{\"resourceId\": \"order:12345\", \"ttl\": 25, \"clientId\": \"client-A\"}");
        long before = node.revision();
        node.log.stepDown();
        Answer refused = client.acquire("{\"resourceId\": \"order:12345\", \"staleDenial\": true}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("owner")).isEqualTo("client-A");
        assertThat(refused.body().get("stale").booleanValue()).isTrue();
        assertThat(node.revision()).isEqualTo(before);
        assertThat(client.acquire("{\"resourceId\": \"free\", \"staleDenial\": true}")
                        .status())
                .isEqualTo(503);
    }

    @Test
    void flow_3_the_holder_gives_it_back_and_learns_how_long_it_was_held() {
        Answer lock = client.acquire("{\"resourceId\": \"order:12345\"}");
        Answer released = client.release(lock);
        assertThat(released.status()).isEqualTo(200);
        assertThat(released.body().get("success").booleanValue()).isTrue();
        assertThat(released.body().get("holdDuration").doubleValue()).isBetween(0.0, 30.0);
        assertThat(node.holder("order:12345")).isEmpty();
        Answer again = client.release(lock);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body().get("alreadyReleased").booleanValue()).isTrue();
        assertThat(client.acquire("{\"resourceId\": \"order:12345\"}").status()).isEqualTo(201);
    }

    @Test
    void flow_3_a_release_that_was_refused_is_not_made_good_behind_the_holders_back() {
        Answer lock = client.acquire("{\"resourceId\": \"order:12345\"}");
        node.log.behave(InstantLog.Behaviour.REFUSE);
        assertThat(client.release(lock).status()).isEqualTo(503);
        node.log.behave(InstantLog.Behaviour.APPLY);
        // Longer than it takes to ask again for the end of a lease.
        await().during(Duration.ofMillis(600))
                .until(() -> node.holder("order:12345").equals("127.0.0.1"));
        assertThat(client.release(lock).body().get("alreadyReleased").booleanValue())
                .isFalse();
        await().until(() -> node.leases() == 0);
    }

    @Test
    void flow_4_a_lock_whose_time_is_up_is_free_and_its_holder_is_told() {
        Answer lock = client.acquire("{\"resourceId\": \"order:12345\", \"ttlMs\": 50}");
        await().until(() -> node.holder("order:12345").isEmpty());
        assertThat(client.release(lock).status()).isEqualTo(410);
        assertThat(client.release(lock).error()).isEqualTo("LEASE_EXPIRED");
        assertThat(client.renew(lock, "{\"additionalTtl\": 30}").status()).isEqualTo(410);
        Answer history = client.get("/api/v1/resources/order:12345/history?limit=1");
        assertThat(history.body().at("/events/0/type").asText()).isEqualTo("DELETE");
        assertThat(history.body().at("/events/0/reason").asText()).isEqualTo("EXPIRED");
        assertThat(client.acquire("{\"resourceId\": \"order:12345\"}").status()).isEqualTo(201);
    }

    @Test
    void flow_5_a_lock_is_made_to_last_longer() {
        Answer lock = client.acquire("{\"resourceId\": \"video:12345\", \"ttl\": 30}");
        Answer renewed = client.renew(lock, "{\"additionalTtl\": 30}");
        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.body().get("totalTtl").intValue()).isEqualTo(60);
        assertThat(renewed.body().get("expiresInMs").longValue()).isBetween(30_000L, 60_000L);
        assertThat(Instant.parse(renewed.text("newExpiresAt"))).isAfter(Instant.parse(lock.text("expiresAt")));
    }

    @Test
    void flow_5_a_lock_that_was_taken_away_is_not_renewed() {
        Answer lock = client.acquire("{\"resourceId\": \"video:12345\", \"ttl\": 30}");
        node.force("video:12345", lock.body().get("fencingToken").longValue());
        Answer renewed = client.renew(lock, "{\"additionalTtl\": 30}");
        assertThat(renewed.status()).isEqualTo(409);
        assertThat(renewed.error()).isEqualTo("GRANT_ENDED");
    }

    @Test
    void flow_6_who_waits_is_granted_as_soon_as_the_lock_is_free() {
        Answer held = client.acquire("{\"resourceId\": \"order:12345\"}");
        CompletableFuture<Answer> waiting = client.async(
                "POST", RestClient.LOCKS, "{\"resourceId\": \"order:12345\", \"blocking\": true, \"timeout\": 10}");
        await().until(() -> node.waiters("order:12345") == 1);
        client.release(held);
        Answer granted = waiting.join();
        assertThat(granted.status()).isEqualTo(201);
        assertThat(granted.body().get("fencingToken").longValue())
                .isGreaterThan(held.body().get("fencingToken").longValue());
        // Its lease has lasted through the wait and starts over at the grant.
        assertThat(granted.body().get("expiresInMs").longValue()).isBetween(29_000L, 30_000L);
    }

    @Test
    void flow_6_who_has_waited_as_long_as_asked_is_told_so_and_holds_no_place() {
        client.acquire("{\"resourceId\": \"order:12345\"}");
        Answer refused = client.acquire("{\"resourceId\": \"order:12345\", \"blocking\": true, \"timeoutMs\": 50}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("TIMEOUT");
        assertThat(refused.text("message")).isEqualTo("Could not acquire lock within 0.050 seconds");
        assertThat(client.acquire("{\"resourceId\": \"order:12345\", \"blocking\": true, \"timeout\": 1}")
                        .text("message"))
                .isEqualTo("Could not acquire lock within 1 seconds");
        assertThat(node.waiters("order:12345")).isZero();
    }

    @Test
    void a_refused_request_leaves_no_lease_behind() {
        client.acquire("{\"resourceId\": \"a\"}");
        client.acquire("{\"resourceId\": \"a\"}");
        client.acquire("{\"resourceId\": \"a\", \"blocking\": true, \"timeoutMs\": 20}");
        client.acquire("{\"resourceId\": \"b\", \"ttl\": 9999999}");
        await().until(() -> node.leases() == 1);
    }

    @Test
    void several_resources_are_taken_together_or_not_at_all() {
        String both = "{\"resources\": [{\"resourceId\": \"b\"}, {\"resourceId\": \"a\", \"mode\": \"SHARED\"}]}";
        Answer lock = client.acquire(both);
        assertThat(lock.body().get("resources")).hasSize(2);
        assertThat(client.acquire("{\"resourceId\": \"b\"}").status()).isEqualTo(409);
        assertThat(client.acquire("{\"resourceId\": \"a\", \"mode\": \"SHARED\"}")
                        .status())
                .isEqualTo(201);
        client.release(lock);
        assertThat(node.holder("b")).isEmpty();
    }

    @Test
    void permits_and_subtrees_are_asked_for_by_name() {
        String permit = "{\"resourceId\": \"pool\", \"capacity\": 2}";
        Answer first = client.acquire(permit);
        assertThat(first.body().at("/resources/0/kind").asText()).isEqualTo("PERMITS");
        assertThat(client.acquire(permit).body().at("/resources/0/slot").asInt())
                .isEqualTo(1);
        assertThat(client.acquire(permit).status()).isEqualTo(409);
        assertThat(client.acquire("{\"resourceId\": \"pool\", \"capacity\": 3}").error())
                .isEqualTo("KIND_MISMATCH");
        client.acquire("{\"resourceId\": \"tree\", \"kind\": \"SUBTREE\"}");
        assertThat(client.acquire("{\"resourceId\": \"tree/leaf\"}").status()).isEqualTo(409);
    }

    @Test
    void a_limit_is_named_when_it_is_reached() {
        node.set(Limit.LEASES, node.leases() + 1);
        assertThat(client.acquire("{\"resourceId\": \"a\"}").status()).isEqualTo(201);
        Answer refused = client.acquire("{\"resourceId\": \"b\"}");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("field")).isEqualTo("LEASES");
        assertThat(refused.response().headers().firstValue("retry-after")).isPresent();
    }
}
