package dev.holdfast.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.core.Limit;
import dev.holdfast.server.grpc.TestNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SocketTest {
    private final TestNode node = new TestNode();

    @AfterEach
    void stop() {
        node.close();
    }

    private Socket connect() {
        return new Socket(node.port());
    }

    @Test
    void a_free_lock_is_granted_with_its_token_and_a_release_is_answered() throws Exception {
        try (Socket alice = connect()) {
            alice.acquire("a", "alice", 30);
            JsonNode granted = alice.next();
            assertThat(granted.get("success").booleanValue()).isTrue();
            assertThat(granted.at("/fencingToken/key").asText()).isEqualTo("a");
            assertThat(granted.at("/fencingToken/value").longValue()).isPositive();
            assertThat(node.holder("a")).isEqualTo("alice");
            alice.release("a", "alice", 30);
            assertThat(alice.next().get("outcome").asText()).isEqualTo("RELEASED");
            assertThat(node.holder("a")).isEmpty();
            alice.acquire("a", "alice", 30);
            assertThat(alice.next().at("/fencingToken/value").longValue())
                    .isGreaterThan(granted.at("/fencingToken/value").longValue());
        }
    }

    @Test
    void the_grant_is_pushed_when_it_comes_for_several_keys_on_one_connection() throws Exception {
        try (Socket alice = connect();
                Socket bob = connect()) {
            for (String key : new String[] {"a", "b"}) {
                alice.acquire(key, "alice", 30);
                alice.next();
                bob.acquire(key, "bob", 30);
                await().until(() -> node.waiters(key) == 1);
            }
            assertThat(bob.isQuiet()).isTrue();
            alice.release("b", "alice", 30);
            assertThat(bob.next().at("/fencingToken/key").asText()).isEqualTo("b");
            alice.release("a", "alice", 30);
            assertThat(bob.next().at("/fencingToken/key").asText()).isEqualTo("a");
        }
    }

    @Test
    @Tag("slow")
    void who_waits_stays_alive_beyond_its_ttl_and_who_holds_does_not() throws Exception {
        try (Socket alice = connect();
                Socket bob = connect()) {
            alice.acquire("a", "alice", 2);
            alice.next();
            bob.acquire("a", "bob", 1);
            assertThat(bob.next().get("success").booleanValue()).isTrue();
            await().until(() -> node.holder("a").isEmpty());
            bob.release("a", "bob", 1);
            assertThat(bob.next().get("error").asText()).isEqualTo("LEASE_EXPIRED");
            bob.acquire("a", "bob", 1);
            assertThat(bob.next().get("success").booleanValue()).isTrue();
        }
    }

    @Test
    void who_is_disconnected_finds_its_lock_and_its_place_again() throws Exception {
        long token;
        try (Socket alice = connect()) {
            alice.acquire("a", "alice", 30);
            token = alice.next().at("/fencingToken/value").longValue();
        }
        try (Socket bob = connect()) {
            bob.acquire("a", "bob", 30);
            await().until(() -> node.waiters("a") == 1);
        }
        try (Socket carol = connect();
                Socket alice = connect();
                Socket bob = connect()) {
            carol.acquire("a", "carol", 30);
            await().until(() -> node.waiters("a") == 2);
            alice.acquire("a", "alice", 30);
            assertThat(alice.next().at("/fencingToken/value").longValue()).isEqualTo(token);
            bob.acquire("a", "bob", 30);
            alice.release("a", "alice", 30);
            assertThat(bob.next().get("success").booleanValue()).isTrue();
            assertThat(carol.isQuiet()).isTrue();
        }
    }

    @Test
    void who_comes_back_to_give_back_finds_its_lock_and_its_place_in_a_crowd_and_without_one() throws Exception {
        for (int crowd : new int[] {1, 80}) {
            String key = "crowd" + crowd;
            try (Socket alice = connect();
                    Socket others = connect()) {
                alice.acquire(key, "alice", 30);
                alice.next();
                for (int i = 0; i < crowd; i++) {
                    others.acquire(key, "c" + i, 30);
                }
                await().until(() -> node.waiters(key) == crowd);
            }
            try (Socket alice = connect();
                    Socket last = connect()) {
                last.release(key, "c" + (crowd - 1), 30);
                assertThat(last.next().get("outcome").asText()).isEqualTo("LEFT_QUEUE");
                alice.release(key, "alice", 30);
                assertThat(alice.next().get("outcome").asText()).isEqualTo("RELEASED");
                alice.release(key, "alice", 30);
                assertThat(alice.next().get("outcome").asText()).isEqualTo("ALREADY_RELEASED");
                alice.release("free", "alice", 30);
                assertThat(alice.next().get("outcome").asText()).isEqualTo("ALREADY_RELEASED");
                await().until(() -> node.holder(key).equals(crowd == 1 ? "" : "c0"));
            }
        }
    }

    /** That an earlier lease of the same client and key has ended is forgotten while the later one lives on. */
    @Test
    @Tag("slow")
    void who_comes_back_after_an_earlier_end_was_forgotten_finds_its_lock_and_its_place_again() throws Exception {
        node.set(Limit.TOMBSTONE_MILLIS, 1_000);
        long token;
        try (Socket alice = connect();
                Socket bob = connect()) {
            for (int round = 0; round < 2; round++) {
                alice.acquire("a", "alice", round == 0 ? 1 : 30);
                alice.next();
                bob.acquire("b", "bob", round == 0 ? 1 : 30);
                bob.next();
                int left = round == 0 ? 0 : 2;
                await().until(() -> node.locks() == left);
            }
            alice.acquire("b", "alice", 1);
            await().until(() -> node.waiters("b") == 1);
            alice.release("b", "alice", 1);
            alice.next();
            alice.next();
            await().until(() -> node.leases() == 2);
            alice.acquire("b", "alice", 30);
            await().until(() -> node.waiters("b") == 1);
            alice.acquire("a", "alice", 30);
            token = alice.next().at("/fencingToken/value").longValue();
            await().until(() -> node.endedLeases() == 0);
        }
        try (Socket carol = connect();
                Socket alice = connect();
                Socket bob = connect()) {
            carol.acquire("b", "carol", 30);
            await().until(() -> node.waiters("b") == 2);
            alice.acquire("a", "alice", 30);
            assertThat(alice.next().at("/fencingToken/value").longValue()).isEqualTo(token);
            alice.acquire("b", "alice", 30);
            bob.release("b", "bob", 30);
            assertThat(bob.next().get("outcome").asText()).isEqualTo("RELEASED");
            assertThat(alice.next().at("/fencingToken/key").asText()).isEqualTo("b");
            assertThat(carol.isQuiet()).isTrue();
        }
    }

    @Test
    void who_sends_a_release_right_behind_its_request_has_nothing_afterwards() throws Exception {
        try (Socket alice = connect()) {
            for (int i = 0; i < 20; i++) {
                alice.acquire("a" + i, "alice", 30);
                alice.release("a" + i, "alice", 30);
                assertThat(java.util.List.of(alice.next(), alice.next()))
                        .extracting(message -> message.path("outcome").asText())
                        .containsExactlyInAnyOrder("", "RELEASED");
            }
            assertThat(node.locks()).isZero();
        }
    }

    @Test
    void who_stays_away_loses_its_place_with_its_ttl() throws Exception {
        try (Socket alice = connect()) {
            alice.acquire("a", "alice", 30);
            alice.next();
            try (Socket bob = connect()) {
                bob.acquire("a", "bob", 1);
                await().until(() -> node.waiters("a") == 1);
            }
            await().until(() -> node.waiters("a") == 0);
        }
    }

    @Test
    void a_release_takes_a_waiting_request_out_of_the_queue() throws Exception {
        try (Socket alice = connect();
                Socket bob = connect()) {
            alice.acquire("a", "alice", 30);
            alice.next();
            bob.acquire("a", "bob", 30);
            await().until(() -> node.waiters("a") == 1);
            bob.release("a", "bob", 30);
            assertThat(java.util.List.of(bob.next(), bob.next()))
                    .extracting(message -> message.path("outcome").asText()
                            + message.path("error").asText())
                    .containsExactlyInAnyOrder("LEFT_QUEUE", "CANCELLED");
            assertThat(node.waiters("a")).isZero();
        }
    }

    @Test
    void a_request_outlives_a_change_of_leader() throws Exception {
        try (Socket alice = connect();
                Socket bob = connect()) {
            alice.acquire("a", "alice", 30);
            alice.next();
            bob.acquire("a", "bob", 30);
            await().until(() -> node.waiters("a") == 1);
            node.log.stepDown();
            bob.acquire("b", "bob", 30);
            node.log.lead(9);
            assertThat(bob.next().at("/fencingToken/key").asText()).isEqualTo("b");
            alice.release("a", "alice", 30);
            assertThat(bob.next().at("/fencingToken/key").asText()).isEqualTo("a");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "body | nonsense",
                "body | []",
                "commandType | {}",
                "commandType | {\"commandType\": 2, \"key\": \"a\", \"clientId\": \"c\", \"ttl\": 1}",
                "commandType | {\"commandType\": \"0\", \"key\": \"a\", \"clientId\": \"c\", \"ttl\": 1}",
                "key | {\"commandType\": 0, \"clientId\": \"c\", \"ttl\": 1}",
                "clientId | {\"commandType\": 0, \"key\": \"a\", \"ttl\": 1}",
                "ttl | {\"commandType\": 0, \"key\": \"a\", \"clientId\": \"c\"}",
                "ttl | {\"commandType\": 0, \"key\": \"a\", \"clientId\": \"c\", \"ttl\": 99999999}",
                "more | {\"commandType\": 0, \"key\": \"a\", \"clientId\": \"c\", \"ttl\": 1, \"more\": 1}",
            })
    void a_wrong_message_is_answered_and_the_connection_goes_on(String field, String message) throws Exception {
        try (Socket client = connect()) {
            client.send(message);
            JsonNode refused = client.next();
            assertThat(refused.get("success").booleanValue()).isFalse();
            assertThat(refused.get("error").asText()).isEqualTo("INVALID_ARGUMENT");
            assertThat(refused.get("field").asText()).isEqualTo(field);
            assertThat(node.locks()).isZero();
            client.acquire("good", "c", 30);
            assertThat(client.next().get("success").booleanValue()).isTrue();
        }
    }

    @Test
    void binary_and_oversized_frames_end_the_connection_and_change_nothing() {
        try (Socket binary = connect();
                Socket large = connect()) {
            binary.sendBinary(new byte[] {1, 2, 3});
            await().until(() -> binary.closeCode() != 0);
            large.acquire("x".repeat(SocketEdge.MAX_FRAME_BYTES), "c", 1);
            await().until(() -> large.closeCode() != 0);
            assertThat(node.locks()).isZero();
        }
    }

    @Test
    void pages_of_other_sites_may_connect_only_if_they_are_listed() {
        new Socket(node.port(), "Origin", "https://friend.example").close();
        assertThatThrownBy(() -> new Socket(node.port(), "Origin", "https://stranger.example"))
                .hasCauseInstanceOf(java.net.http.WebSocketHandshakeException.class);
    }
}
