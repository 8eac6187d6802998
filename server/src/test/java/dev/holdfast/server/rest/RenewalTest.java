package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Command;
import dev.holdfast.server.InstantLog;
import dev.holdfast.server.grpc.TestNode;
import dev.holdfast.server.propose.BatchSettings;
import dev.holdfast.server.rest.RestClient.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Renewals that come more than once. */
@Timeout(60)
class RenewalTest {
    /** Each command in an entry of its own. */
    private static final BatchSettings ONE_COMMAND = new BatchSettings(
            1,
            1,
            64 * 1024,
            1024 * 1024,
            4_096,
            65_536,
            64L * 1024 * 1024,
            Duration.ofSeconds(30),
            Duration.ofMillis(250),
            Duration.ofMillis(200));

    private final TestNode node = new TestNode();
    private final RestClient client = new RestClient(node.port());
    private final Answer lock = client.acquire("{\"resourceId\": \"a\", \"ttl\": 30}");

    @AfterEach
    void stop() {
        node.close();
    }

    private static long left(Answer renewed) {
        assertThat(renewed.status()).as(renewed.body().toString()).isEqualTo(200);
        return renewed.body().get("expiresInMs").longValue();
    }

    private static long total(Answer renewed) {
        assertThat(renewed.status()).as(renewed.body().toString()).isEqualTo(200);
        return renewed.body().get("totalTtl").longValue();
    }

    @Test
    void a_lock_that_is_to_last_from_now_lasts_no_longer_however_often_that_is_asked() {
        long before = node.revision();
        for (int i = 0; i < 3; i++) {
            Answer renewed = client.renew(lock, "{\"ttl\": 600}");
            assertThat(left(renewed)).isBetween(599_000L, 600_000L);
            assertThat(total(renewed)).isEqualTo(30);
        }
        assertThat(node.revision()).isEqualTo(before);
    }

    @Test
    void a_lock_never_ends_sooner_because_it_was_renewed() {
        assertThat(left(client.renew(lock, "{\"ttl\": 600}"))).isGreaterThan(500_000);
        assertThat(left(client.renew(lock, "{\"ttlMs\": 1000}"))).isGreaterThan(500_000);
        assertThat(left(client.renew(lock, "{\"ttlMs\": 1000}", "k1"))).isGreaterThan(500_000);
    }

    @Test
    void a_lock_ends_by_its_longest_hold_however_long_it_is_renewed_for() {
        assertThat(client.renew(lock, "{\"ttl\": 31}").body().has("holdEndsAt")).isFalse();
        Answer bounded = client.acquire("{\"resourceId\": \"b\", \"ttl\": 30, \"maxHold\": 60}");
        for (String more : List.of("{\"ttl\": 3600}", "{\"additionalTtl\": 3600}")) {
            Answer renewed = client.renew(bounded, more, "k1");
            assertThat(left(renewed)).isBetween(1L, 60_000L);
            assertThat(Instant.parse(renewed.text("holdEndsAt")))
                    .isCloseTo(Instant.parse(renewed.text("newExpiresAt")), within(30, ChronoUnit.SECONDS));
        }
        Answer soon = client.acquire("{\"resourceId\": \"c\", \"ttl\": 30, \"maxHold\": 60}");
        Answer sooner = client.renew(soon, "{\"ttl\": 31}");
        assertThat(left(sooner)).isBetween(1L, 31_000L);
        assertThat(Instant.parse(sooner.text("holdEndsAt"))).isAfter(Instant.parse(sooner.text("newExpiresAt")));
    }

    @Test
    void without_a_key_each_request_adds() {
        assertThat(total(client.renew(lock, "{\"additionalTtl\": 30}"))).isEqualTo(60);
        assertThat(total(client.renew(lock, "{\"additionalTtl\": 30}"))).isEqualTo(90);
    }

    @Test
    void with_a_key_a_request_adds_once_and_is_answered_alike() {
        Answer first = client.renew(lock, "{\"additionalTtl\": 30}", "k1");
        Answer again = client.renew(lock, "{\"additionalTtlMs\": 30000}", "k1");
        assertThat(total(first)).isEqualTo(60);
        assertThat(total(again)).isEqualTo(60);
        assertThat(left(again)).isBetween(55_000L, left(first));
        assertThat(total(client.renew(lock, "{\"additionalTtl\": 30}", "k2"))).isEqualTo(90);
        assertThat(total(client.renew(lock, "{\"additionalTtl\": 30}", "k1"))).isEqualTo(60);
        assertThat(total(client.renew(lock, "{\"additionalTtl\": 1}"))).isEqualTo(91);
    }

    @Test
    void the_answer_was_lost_and_the_request_comes_again() {
        node.log.behave(InstantLog.Behaviour.REFUSE);
        assertThat(client.renew(lock, "{\"additionalTtl\": 30}", "k1").status()).isEqualTo(503);
        node.log.behave(InstantLog.Behaviour.APPLY);
        assertThat(total(client.renew(lock, "{\"additionalTtl\": 30}", "k1"))).isEqualTo(60);
    }

    @Test
    void a_lock_that_was_renewed_is_never_said_not_to_be_though_the_rest_fails() {
        try (TestNode one = new TestNode(ONE_COMMAND)) {
            RestClient asking = new RestClient(one.port());
            Answer taken = asking.acquire("{\"resourceId\": \"a\", \"ttl\": 30}");
            one.log.refuse(command -> command instanceof Command.Acquire);
            Answer unsure = asking.renew(taken, "{\"additionalTtl\": 30}", "k1");
            assertThat(unsure.status()).as(unsure.body().toString()).isEqualTo(503);
            assertThat(unsure.body().path("unknownOutcome").booleanValue()).isTrue();
            one.log.refuse(command -> command instanceof Command.ExtendLease);
            Answer nothing = asking.renew(taken, "{\"additionalTtl\": 30}");
            assertThat(nothing.status()).isEqualTo(503);
            assertThat(nothing.body().path("unknownOutcome").booleanValue()).isFalse();
            one.log.refuse(command -> false);
            assertThat(total(asking.renew(taken, "{\"additionalTtl\": 30}", "k1")))
                    .isEqualTo(60);
            assertThat(total(asking.renew(taken, "{\"additionalTtl\": 1}"))).isEqualTo(61);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"additionalTtl\": 30}; {\"additionalTtl\": 31}",
                "{\"additionalTtl\": 30}; {\"ttl\": 30}",
            })
    void a_key_that_was_used_for_another_request_is_refused(String first, String other) {
        long total = total(client.renew(lock, first, "k1"));
        Answer refused = client.renew(lock, other, "k1");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.error()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(refused.text("field")).isEqualTo("Idempotency-Key");
        assertThat(total(client.renew(lock, first, "k1"))).isEqualTo(total);
    }

    @Test
    void a_key_is_of_one_lock() {
        Answer other = client.acquire("{\"resourceId\": \"b\", \"ttl\": 30}");
        assertThat(total(client.renew(lock, "{\"additionalTtl\": 30}", "k1"))).isEqualTo(60);
        assertThat(total(client.renew(other, "{\"additionalTtl\": 40}", "k1"))).isEqualTo(70);
    }

    @Test
    void a_lock_that_has_ended_is_not_renewed_by_a_repetition() {
        client.renew(lock, "{\"additionalTtl\": 30}", "k1");
        client.release(lock);
        assertThat(client.renew(lock, "{\"additionalTtl\": 30}", "k1").error()).isEqualTo("GRANT_ENDED");
        assertThat(client.renew(lock, "{\"ttl\": 30}").error()).isEqualTo("GRANT_ENDED");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{}; ttl",
                "{\"ttl\": 30, \"additionalTtl\": 30}; ttl",
                "{\"ttlMs\": 30, \"additionalTtlMs\": 30}; ttl",
                "{\"ttl\": 30, \"ttlMs\": 30}; ttl",
                "{\"ttl\": 0}; ttl",
                "{\"ttlMs\": -1}; ttl",
                "{\"additionalTtl\": 0}; additionalTtl",
                "{\"ttl\": 9223372036854775807}; ttl",
            })
    void one_of_both_is_given_and_is_positive(String body, String field) {
        Answer refused = client.renew(lock, body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("INVALID_ARGUMENT");
        assertThat(refused.text("field")).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource({"ttl, 86401, 86401000", "ttlMs, 86400001, 86400001", "ttlMs, 9223372036854775807, 9223372036854775807"})
    void nothing_lasts_longer_than_the_longest_ttl(String field, long value, long actual) {
        Answer refused = client.renew(lock, "{\"" + field + "\": " + value + "}");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.error()).isEqualTo("QUOTA_EXCEEDED");
        assertThat(refused.text("field")).isEqualTo("TTL_MAX_MILLIS");
        assertThat(refused.body().get("limit").longValue()).isEqualTo(Limit.TTL_MAX_MILLIS.initial());
        assertThat(refused.body().get("actual").longValue()).isEqualTo(actual);
        assertThat(total(client.renew(lock, "{\"ttl\": 86400}"))).isEqualTo(30);
    }

    @Test
    void what_cannot_be_remembered_is_not_done() {
        node.set(Limit.UNACKNOWLEDGED, 2);
        client.renew(lock, "{\"additionalTtl\": 30}", "k1");
        client.renew(lock, "{\"additionalTtl\": 30}", "k2");
        Answer refused = client.renew(lock, "{\"additionalTtl\": 30}", "k3");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.error()).isEqualTo("WINDOW_FULL");
        assertThat(refused.text("field")).isEqualTo("UNACKNOWLEDGED");
        assertThat(refused.body().get("limit").longValue()).isEqualTo(2);
        assertThat(total(client.renew(lock, "{\"additionalTtl\": 30}", "k2"))).isEqualTo(90);
        assertThat(total(client.renew(lock, "{\"additionalTtl\": 1}"))).isEqualTo(91);
    }

    @Test
    void to_last_from_now_takes_no_memory_whatever_keys_come_with_it() {
        node.set(Limit.UNACKNOWLEDGED, 1);
        for (int i = 0; i < 3; i++) {
            assertThat(left(client.renew(lock, "{\"ttl\": 600}", "k" + i))).isGreaterThan(599_000);
        }
        // The key is still free.
        assertThat(total(client.renew(lock, "{\"additionalTtl\": 30}", "k0"))).isEqualTo(60);
        // All that can be remembered is, and it need not be.
        assertThat(left(client.renew(lock, "{\"ttl\": 900}", "k1"))).isGreaterThan(899_000);
        assertThat(client.renew(lock, "{\"ttl\": 900}", "k0").error()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    }

    @Test
    void in_a_batch_too() {
        String renew = "{\"renew\": {\"lockId\": \"" + lock.text("lockId") + "\", \"lockToken\": \""
                + lock.text("lockToken") + "\", ";
        String once = renew + "\"additionalTtl\": 30, \"idempotencyKey\": \"k1\"}}";
        String batch = "{\"operations\": [" + once + ", " + once + ", " + renew + "\"ttl\": 600}}]}";
        Answer answer = client.post(RestClient.LOCKS + "/batch", batch);
        for (int i = 0; i < 3; i++) {
            assertThat(answer.body().at("/results/" + i + "/status").intValue()).isEqualTo(200);
            assertThat(answer.body().at("/results/" + i + "/body/totalTtl").intValue())
                    .isEqualTo(60);
        }
    }
}
