package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.grpc.TestNode;
import dev.holdfast.server.rest.RestClient.Answer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is sent, the answer is from the error table, in one shape, and nothing has changed. */
@Timeout(60)
class BadInputTest {
    private static final TestNode NODE = new TestNode();
    private static final RestClient CLIENT = new RestClient(NODE.port());

    @AfterAll
    static void stop() {
        NODE.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "[]",
                "7",
                "\"text\"",
                "{",
                "{\"resourceId\": \"a\"",
                "{\"resourceId\": \"a\"} {}",
                "{\"resourceId\": 'a'}",
                "{resourceId: \"a\"}",
                "{\"resourceId\": \"a\", \"resourceId\": \"b\"}",
                "{\"resourceId\": \"a\", \"ttl\": NaN}",
                "{\"resourceId\": \"a\", \"ttl\": 99999999999999999999999999999999999999999999}",
                "{\"resourceId\": \"a\", // comment\n \"ttl\": 1}",
                "{\"metadata\": {\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}}}}}}",
            })
    void what_is_not_strictly_a_json_object_is_refused(String body) {
        refused("body", body);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resourceId | {}",
                "resourceId | {\"resourceId\": \"\"}",
                "resourceId | {\"resourceId\": null}",
                "resourceId | {\"resourceId\": 7}",
                "resourceId | {\"resourceId\": [\"a\"]}",
                "resourceId | {\"resourceId\": \"\\ud800\"}",
                "resourceId | {\"resourceId\": \"a\", \"resources\": [{\"resourceId\": \"b\"}]}",
                "resources | {\"resources\": []}",
                "resources[0] | {\"resources\": [\"a\"]}",
                "resources[1].resourceId | {\"resources\": [{\"resourceId\": \"a\"}, {}]}",
                "resources[0].mod | {\"resources\": [{\"resourceId\": \"a\", \"mod\": \"SHARED\"}]}",
                "resources | {\"resources\": [{\"resourceId\": \"a\"}, {\"resourceId\": \"a\"}]}",
                "tll | {\"resourceId\": \"a\", \"tll\": 30}",
                "ttl | {\"resourceId\": \"a\", \"ttl\": \"30\"}",
                "ttl | {\"resourceId\": \"a\", \"ttl\": 1.5}",
                "ttl | {\"resourceId\": \"a\", \"ttl\": 1e2}",
                "ttl | {\"resourceId\": \"a\", \"ttl\": 0}",
                "ttl | {\"resourceId\": \"a\", \"ttl\": -1}",
                "ttl | {\"resourceId\": \"a\", \"ttl\": 9223372036854775807}",
                "ttl | {\"resourceId\": \"a\", \"ttl\": 9223372036854775808}",
                "ttl | {\"resourceId\": \"a\", \"ttl\": 1, \"ttlMs\": 1}",
                "ttl | {\"resourceId\": \"a\", \"ttl\": 999999999}",
                "blocking | {\"resourceId\": \"a\", \"blocking\": 1}",
                "timeout | {\"resourceId\": \"a\", \"timeout\": 1}",
                "timeout | {\"resourceId\": \"a\", \"blocking\": true, \"timeout\": 0}",
                "timeout | {\"resourceId\": \"a\", \"blocking\": true, \"timeout\": 3601}",
                "mode | {\"resourceId\": \"a\", \"mode\": \"shared\"}",
                "kind | {\"resourceId\": \"a\", \"kind\": \"TREE\"}",
                "capacity | {\"resourceId\": \"a\", \"kind\": \"PERMITS\"}",
                "capacity | {\"resourceId\": \"a\", \"capacity\": -1}",
                "capacity | {\"resourceId\": \"a\", \"capacity\": 2147483648}",
                "permits | {\"resourceId\": \"a\", \"capacity\": 2, \"permits\": 3}",
                "metadata | {\"resourceId\": \"a\", \"metadata\": 7}",
                "maxHold | {\"resourceId\": \"a\", \"maxHold\": -1}",
                "lockDelay | {\"resourceId\": \"a\", \"lockDelayMs\": 99999999}",
                "staleDenial | {\"resourceId\": \"a\", \"staleDenial\": \"yes\"}",
                "staleDenial | {\"resourceId\": \"a\", \"staleDenial\": true, \"blocking\": true}",
            })
    void a_wrong_field_is_named(String field, String body) {
        refused(field, body);
    }

    private static void refused(String field, String body) {
        long before = NODE.revision();
        Answer answer = CLIENT.acquire(body);
        assertThat(answer.status()).as(body).isEqualTo(400);
        assertThat(answer.error()).isEqualTo("INVALID_ARGUMENT");
        assertThat(answer.text("field")).isEqualTo(field);
        assertThat(answer.text("message")).doesNotContain("dev.holdfast").doesNotContain("jackson");
        assertThat(NODE.locks()).isZero();
        assertThat(NODE.revision() - before)
                .as("at most a lease that was taken back")
                .isLessThanOrEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"purpose", "clientId", "resourceId", "metadata"})
    void texts_above_their_limits_are_refused(String field) {
        String body = "{\"resourceId\": \"a\", \"" + field + "\": \"" + "x".repeat(30_000) + "\"}";
        if (field.equals("resourceId")) {
            body = "{\"resourceId\": \"" + "x".repeat(30_000) + "\"}";
        }
        Answer answer = CLIENT.acquire(body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("field")).isEqualTo(field);
        assertThat(answer.body().get("actual").intValue()).isEqualTo(30_000);
    }

    @Test
    void a_body_that_is_too_large_is_refused_before_it_is_read() {
        Answer answer = CLIENT.acquire("{\"resourceId\": \"" + "x".repeat(RestEdge.MAX_BODY_BYTES) + "\"}");
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.text("field")).isEqualTo("body");
        assertThat(answer.body().get("limit").intValue()).isEqualTo(RestEdge.MAX_BODY_BYTES);
    }

    @Test
    void bytes_that_are_no_utf_8_are_refused() {
        byte[] body = "{\"resourceId\": \"?\"}".getBytes(StandardCharsets.ISO_8859_1);
        for (byte bad : new byte[] {(byte) 0x80, (byte) 0xff, (byte) 0xc3}) {
            body[16] = bad;
            Answer answer = CLIENT.plain("POST", RestClient.LOCKS, body);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text("message")).contains("UTF-8");
        }
        Answer wide =
                CLIENT.plain("POST", RestClient.LOCKS, "{\"resourceId\": \"a\"}".getBytes(StandardCharsets.UTF_16));
        assertThat(wide.status()).isEqualTo(400);
        assertThat(NODE.locks()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AAAA", "AAAAAAAAAAA", "AAAAAAAAAAAA", "%F0%9F%98%80", "a%2Fb"})
    void a_lock_id_that_never_was_is_not_found(String lockId) {
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[24]);
        for (String method : new String[] {"DELETE", "GET"}) {
            Answer answer = CLIENT.plain(method, RestClient.LOCKS + "/" + lockId, "", "X-Lock-Token", token);
            assertThat(answer.status()).as(method + lockId).isEqualTo(404);
            assertThat(answer.error()).isEqualTo("NOT_FOUND");
        }
    }

    @Test
    void a_wrong_lock_token_frees_nothing_and_learns_nothing() {
        Answer lock = CLIENT.acquire("{\"resourceId\": \"guarded\"}");
        Answer other = CLIENT.acquire("{\"resourceId\": \"other\"}");
        String right = lock.text("lockToken");
        String path = RestClient.LOCKS + "/" + lock.text("lockId");
        String flipped = (right.charAt(31) == 'A' ? "B" : "A");
        for (String wrong : new String[] {
            "x",
            right.substring(1),
            right + "A",
            right.substring(0, 31) + flipped,
            right.substring(0, 31) + "=",
            other.text("lockToken")
        }) {
            for (Answer answer : new Answer[] {
                CLIENT.ask("DELETE", path, "", "X-Lock-Token", wrong),
                CLIENT.ask("PUT", path + "/renew", "{\"additionalTtl\": 1}", "X-Lock-Token", wrong)
            }) {
                assertThat(answer.status()).as(wrong).isEqualTo(403);
                assertThat(answer.error()).isEqualTo("NOT_HOLDER");
                assertThat(answer.text("message")).doesNotContain(right);
            }
        }
        Answer missing = CLIENT.ask("DELETE", path, "");
        assertThat(missing.status()).isEqualTo(400);
        assertThat(missing.text("field")).isEqualTo("X-Lock-Token");
        assertThat(CLIENT.release(lock).status()).isEqualTo(200);
        assertThat(CLIENT.release(other).status()).isEqualTo(200);
    }

    @Test
    void no_answer_but_the_holders_own_carries_a_secret() {
        Answer lock = CLIENT.acquire("{\"resourceId\": \"secret\"}");
        String token = lock.text("lockToken");
        String principal = Credential.parse(token).orElseThrow().principal("");
        for (String path : new String[] {
            RestClient.LOCKS,
            RestClient.LOCKS + "/" + lock.text("lockId"),
            "/api/v1/resources/secret",
            "/api/v1/resources/secret/history",
            "/api/v1/resources/secret/explain"
        }) {
            assertThat(CLIENT.get(path).body().toString()).doesNotContain(token).doesNotContain(principal);
        }
        CLIENT.release(lock);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/nothing, 404",
        "GET, /api/, 404",
        "GET, /nowhere, 404",
        "GET, /api/v1/locks/.., 400",
        "GET, /api/v1/locks/%00, 400",
        "PATCH, /api/v1/locks, 405",
        "DELETE, /api/v1/locks, 405",
        "POST, /api/v1/locks/x, 405",
        "GET, /api/v1/locks/x/renew, 405",
        "POST, /api/v1/openapi.json, 405",
        "GET, /api/v1/locks?limit=0, 400",
        "GET, /api/v1/locks?limit=x, 400",
        "GET, /api/v1/locks?stale=1, 400",
        "GET, /api/v1/locks?prefx=a, 400",
        "GET, /api/v1/locks?limit=1&limit=2, 400",
        "GET, /api/v1/watch, 400",
        "GET, /api/v1/watch?prefix=a&resourceId=b, 400",
        "GET, /api/v1/watch?prefix=a&cursor=x, 400",
    })
    void paths_methods_and_parameters_that_mean_nothing_are_refused_in_the_same_shape(
            String method, String path, int status) {
        Answer answer = CLIENT.plain(method, path);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body().has("error")).isTrue();
        assertThat(answer.body().has("message")).isTrue();
        assertThat(answer.body().has("field")).isTrue();
    }

    @Test
    void a_page_of_another_site_can_do_nothing() {
        long before = NODE.revision();
        Answer refused = CLIENT.acquire("{\"resourceId\": \"a\"}", "Origin", "https://stranger.example");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.error()).isEqualTo("PERMISSION_DENIED");
        assertThat(NODE.revision()).isEqualTo(before);
    }

    @Test
    void a_method_that_is_not_allowed_is_told_which_are() {
        assertThat(CLIENT.plain("PATCH", RestClient.LOCKS).response().headers().firstValue("allow"))
                .hasValue("GET, POST");
    }
}
