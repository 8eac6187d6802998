package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.server.grpc.TestNode;
import dev.holdfast.server.rest.RestClient.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that change nothing, and several in one. */
@Timeout(60)
class LookupTest {
    private final TestNode node = new TestNode();
    private final RestClient client = new RestClient(node.port());

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void a_lock_is_shown_by_its_id_until_it_ends() {
        Answer lock = client.acquire(
                "{\"resourceId\": \"a\", \"clientId\": \"me\", \"purpose\": \"p\", \"metadata\": {\"host\": \"h\"}}");
        Answer shown = client.get(RestClient.LOCKS + "/" + lock.text("lockId"));
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.text("owner")).isEqualTo("me");
        assertThat(shown.text("metadata")).isEqualTo("{\"host\":\"h\"}");
        client.release(lock);
        assertThat(client.get(RestClient.LOCKS + "/" + lock.text("lockId")).status())
                .isEqualTo(404);
    }

    @Test
    void resources_are_listed_page_by_page() {
        for (int i = 0; i < 5; i++) {
            client.acquire("{\"resourceId\": \"x/" + i + "\"}");
        }
        client.acquire("{\"resourceId\": \"y\"}");
        Answer first = client.get(RestClient.LOCKS + "?prefix=x/&limit=3");
        assertThat(first.body().get("locks")).hasSize(3);
        Answer rest = client.get(RestClient.LOCKS + "?prefix=x/&limit=3&from=" + first.text("next"));
        assertThat(rest.body().get("locks")).hasSize(2);
        assertThat(rest.body().has("next")).isFalse();
    }

    @Test
    void a_resource_shows_holder_queue_history_and_reasons() {
        Answer held = client.acquire("{\"resourceId\": \"a/b\", \"clientId\": \"first\"}");
        var second = client.async(
                "POST", RestClient.LOCKS, "{\"resourceId\": \"a/b\", \"clientId\": \"second\", \"blocking\": true}");
        await().until(() -> node.waiters("a/b") == 1);
        JsonNode resource = client.get("/api/v1/resources/a%2Fb").body();
        assertThat(resource.at("/holders/0/owner").asText()).isEqualTo("first");
        assertThat(resource.at("/holders/0/lockId").asText()).isEqualTo(held.text("lockId"));
        assertThat(resource.at("/waiters/0/owner").asText()).isEqualTo("second");
        JsonNode explained = client.get("/api/v1/resources/a%2Fb/explain").body();
        assertThat(explained.at("/waiters/0/steps/0/blocker").asText()).isEqualTo("first");
        assertThat(explained.at("/waiters/0/steps/0/how").asText()).isEqualTo("HOLDS");
        JsonNode history = client.get("/api/v1/resources/a%2Fb/history?limit=2").body();
        assertThat(history.at("/events/0/what").asText()).isEqualTo("QUEUED");
        assertThat(history.at("/events/1/what").asText()).isEqualTo("GRANTED");
        client.release(held);
        client.release(second.join());
        assertThat(client.get("/api/v1/resources/a%2Fb").body().get("held").booleanValue())
                .isFalse();
    }

    @Test
    void a_plan_tells_what_would_become_of_a_request_and_changes_nothing() {
        long before = node.revision();
        assertThat(client.post(RestClient.LOCKS + "/plan", "{\"resourceId\": \"a\"}")
                        .text("verdict"))
                .isEqualTo("WOULD_BE_GRANTED");
        assertThat(node.revision()).isEqualTo(before);
        client.acquire("{\"resourceId\": \"a\", \"clientId\": \"me\"}");
        Answer wait = client.post(RestClient.LOCKS + "/plan", "{\"resourceId\": \"a\"}");
        assertThat(wait.text("verdict")).isEqualTo("WOULD_WAIT");
        assertThat(wait.body().at("/blockers/0/owner").asText()).isEqualTo("me");
        Answer refused = client.post(RestClient.LOCKS + "/plan", "{\"resourceId\": \"a\", \"capacity\": 3}");
        assertThat(refused.body().at("/refusal/error").asText()).isEqualTo("KIND_MISMATCH");
    }

    @Test
    void each_operation_of_a_batch_stands_for_itself() {
        Answer held = client.acquire("{\"resourceId\": \"a\"}");
        Answer other = client.acquire("{\"resourceId\": \"b\"}");
        String mine = "\"lockId\": \"" + held.text("lockId") + "\", \"lockToken\": \"" + held.text("lockToken") + "\"";
        String wrong =
                "\"lockId\": \"" + held.text("lockId") + "\", \"lockToken\": \"" + other.text("lockToken") + "\"";
        JsonNode results = client.post(
                        RestClient.LOCKS + "/batch",
                        "{\"operations\": [{\"acquire\": {\"resourceId\": \"b\"}}, {\"acquire\": {\"resourceId\": \"c\"}},"
                                + " {\"release\": {" + wrong + "}}, {\"renew\": {" + mine
                                + ", \"additionalTtl\": 5}}]}")
                .body()
                .get("results");
        assertThat(results.findValuesAsText("status")).containsExactly("409", "201", "403", "200");
        assertThat(node.holder("a")).isNotEmpty();
        assertThat(node.holder("c")).isNotEmpty();
    }

    @Test
    void a_mistake_in_one_operation_means_that_none_is_begun() {
        for (String bad : new String[] {
            "{\"acquire\": {\"resourceId\": \"b\", \"blocking\": true}}",
            "{\"acquire\": {\"resourceId\": 7}}",
            "{}",
            "{\"acquire\": {\"resourceId\": \"b\"}, \"release\": {\"lockId\": \"x\", \"lockToken\": \"x\"}}",
            "{\"steal\": {}}",
        }) {
            Answer refused = client.post(
                    RestClient.LOCKS + "/batch",
                    "{\"operations\": [{\"acquire\": {\"resourceId\": \"a\"}}, " + bad + "]}");
            assertThat(refused.status()).as(bad).isEqualTo(400);
            assertThat(refused.text("field")).startsWith("operations[1].");
        }
        assertThat(node.locks()).isZero();
    }
}
