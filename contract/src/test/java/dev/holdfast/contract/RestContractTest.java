package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.contract.RestWire.Answer;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Locks over REST, on any node. */
class RestContractTest extends WireContract {
    @Override
    Wire connect(int node, String name) {
        return new RestWire(cluster.address(node));
    }

    private RestWire first;
    private RestWire other;

    @SuppressWarnings("NullAway.Init")
    RestContractTest() {}

    @BeforeEach
    void connectTwo() {
        first = new RestWire(cluster.address(0));
        other = new RestWire(cluster.address(1));
    }

    @AfterEach
    void disconnectTwo() {
        first.close();
        other.close();
    }

    private String request(String more) {
        return "{\"resourceId\": \"" + key + "\", \"ttl\": 20" + more + "}";
    }

    private static Answer post(RestWire wire, String body) {
        return wire.ask("POST", "", body).join();
    }

    private static JsonNode taken(RestWire wire, String body) {
        Answer answer = post(wire, body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.body();
    }

    private static void refused(RestWire wire, String body, String error) {
        Answer answer = post(wire, body);
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body().get("error").asText()).isEqualTo(error);
    }

    private static int release(RestWire wire, JsonNode lock) {
        return wire.ask("DELETE", lock, "", "").status();
    }

    @Test
    void behaviour_30_readers_join_up_to_the_first_waiting_writer_and_no_writer_starves() {
        String shared = ", \"mode\": \"SHARED\"";
        JsonNode reader = taken(first, request(shared));
        JsonNode another = taken(other, request(shared));
        CompletableFuture<Answer> writer = other.ask("POST", "", request(", \"blocking\": true, \"timeout\": 20"));
        awaitWaiters(1);
        refused(first, request(shared), "LOCK_ALREADY_HELD");
        release(first, reader);
        release(other, another);
        assertThat(writer.join().status()).isEqualTo(201);
        assertThat(release(first, writer.join().body())).isEqualTo(200);
    }

    @Test
    void behaviour_31_several_resources_are_all_taken_or_none() {
        String free = key + "/free";
        JsonNode held = taken(first, request(""));
        String both = "{\"resources\": [{\"resourceId\": \"" + free + "\"}, {\"resourceId\": \"" + key + "\"}]}";
        refused(other, both, "LOCK_ALREADY_HELD");
        assertThat(operator.locks(free)).isEmpty();
        release(first, held);
        JsonNode all = taken(other, both);
        assertThat(operator.locks(free)).hasSize(1);
        assertThat(release(first, all)).isEqualTo(200);
        assertThat(operator.locks(key)).isEmpty();
    }

    @Test
    void a_subtree_covers_what_is_below_it() {
        JsonNode tree = taken(first, request(", \"kind\": \"SUBTREE\""));
        refused(other, "{\"resourceId\": \"" + key + "/leaf\"}", "LOCK_ALREADY_HELD");
        assertThat(release(first, tree)).isEqualTo(200);
    }

    @Test
    void a_semaphore_has_so_many_permits_each_with_its_slot() {
        String permit = request(", \"capacity\": 2");
        JsonNode one = taken(first, permit);
        JsonNode two = taken(other, permit);
        assertThat(List.of(
                        one.at("/resources/0/slot").intValue(),
                        two.at("/resources/0/slot").intValue()))
                .containsExactlyInAnyOrder(0, 1);
        refused(first, permit, "LOCK_ALREADY_HELD");
        refused(first, request(", \"capacity\": 3"), "KIND_MISMATCH");
        assertThat(release(first, one)).isEqualTo(200);
        assertThat(release(first, two)).isEqualTo(200);
    }

    @Test
    void behaviour_18_a_wait_ends_in_time_and_never_becomes_a_grant_later() {
        JsonNode held = taken(first, request(""));
        refused(other, request(", \"blocking\": true, \"timeoutMs\": 200"), "TIMEOUT");
        awaitWaiters(0);
        release(first, held);
        assertThat(operator.locks(key)).isEmpty();
    }

    @Test
    void behaviour_10_a_lock_with_a_longest_hold_ends_however_it_is_renewed() {
        JsonNode capped = taken(first, request(", \"maxHoldMs\": 1000"));
        assertThat(first.ask("PUT", capped, "/renew", "{\"additionalTtl\": 30}").status())
                .isEqualTo(200);
        await().atMost(Duration.ofSeconds(20)).until(() -> operator.locks(key).isEmpty());
        assertThat(first.ask("PUT", capped, "/renew", "{\"additionalTtl\": 30}").status())
                .isIn(409, 410);
    }

    @Test
    void behaviour_02_a_lock_that_was_taken_away_says_so_when_it_is_renewed() {
        JsonNode lost = taken(first, request(""));
        operator.force(key, lost.get("fencingToken").longValue(), "ops", "stuck since noon");
        Answer renewed = other.ask("PUT", lost, "/renew", "{\"additionalTtl\": 30}");
        assertThat(renewed.status()).isEqualTo(409);
        assertThat(renewed.body().get("error").asText()).isEqualTo("GRANT_ENDED");
    }

    @Test
    void behaviour_34_whoever_has_the_lock_token_has_the_lock_and_nobody_else() {
        JsonNode lock = taken(first, request(", \"purpose\": \"reindex\""));
        assertThat(other.ask("GET", "/" + lock.get("lockId").asText(), "")
                        .join()
                        .body()
                        .get("purpose")
                        .asText())
                .isEqualTo("reindex");
        Answer guessed = other.ask("DELETE", "/" + lock.get("lockId").asText(), "", "X-Lock-Token", "A".repeat(32))
                .join();
        assertThat(guessed.status()).isEqualTo(403);
        assertThat(release(other, lock)).isEqualTo(200);
    }

    @Test
    void a_renewal_that_is_repeated_on_another_node_and_under_another_leader_takes_effect_once() {
        JsonNode lock = taken(first, request(""));
        renewed(first, lock, 50);
        renewed(other, lock, 50);
        handOver();
        renewed(first, lock, 50);
        renewed(other, lock, 50);
        assertThat(first.ask("PUT", lock, "/renew", "{\"additionalTtl\": 31}", "Idempotency-Key", key)
                        .status())
                .isEqualTo(422);
        assertThat(release(other, lock)).isEqualTo(200);
    }

    private void renewed(RestWire wire, JsonNode lock, int total) {
        Answer answer = wire.renewed(lock, "{\"additionalTtl\": 30}", key);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.body().get("totalTtl").intValue()).isEqualTo(total);
    }

    /** Returns when another leads. */
    private void handOver() {
        long term = operator.status().getHeader().getRaftTerm();
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            for (String address : cluster.addresses()) {
                try (Operator each = new Operator(address)) {
                    each.transferLeadership();
                } catch (StatusRuntimeException notNow) {
                    // Or not this one: another may.
                }
            }
            return operator.status().getHeader().getRaftTerm() > term;
        });
    }

    @Test
    void a_retry_on_another_node_is_the_same_lock() {
        Answer lock = first.ask("POST", "", request(""), "Idempotency-Key", key).join();
        Answer again =
                other.ask("POST", "", request(""), "Idempotency-Key", key).join();
        assertThat(lock.status()).isEqualTo(201);
        assertThat(again.body().get("lockToken")).isEqualTo(lock.body().get("lockToken"));
        assertThat(again.body().get("fencingToken")).isEqualTo(lock.body().get("fencingToken"));
        assertThat(release(other, lock.body())).isEqualTo(200);
    }
}
