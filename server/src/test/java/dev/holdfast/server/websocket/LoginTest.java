package dev.holdfast.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.server.access.SecuredNode;
import dev.holdfast.server.access.Verb;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who a client on a WebSocket is, on a node that asks for tokens. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoginTest {
    private static final int POLICY_VIOLATION = 1008;
    private static final int TRY_AGAIN_LATER = 1013;
    /** Nodes take a token for so long after it has expired. */
    private static final Duration SKEW = Duration.ofSeconds(30);

    private SecuredNode node;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        node = new SecuredNode(directory, Map.of("web.origins", "https://friend.example, http://localhost:3000"));
    }

    @AfterAll
    void stop() {
        node.close();
    }

    private static String ann() {
        return SecuredNode.token("ann", "acme", Verb.LOCK);
    }

    private static void assertRefused(Socket client, String code, String field) throws Exception {
        JsonNode refused = client.next();
        assertThat(refused.get("success").booleanValue()).isFalse();
        assertThat(refused.get("error").asText()).isEqualTo(code);
        assertThat(refused.get("field").asText()).isEqualTo(field);
    }

    private static void assertClosed(Socket client, int code, String reason) {
        await().until(() -> client.closeCode() != 0);
        assertThat(client.closeCode()).isEqualTo(code);
        assertThat(client.closeReason()).isEqualTo(reason);
    }

    @Test
    void a_token_in_the_first_message_is_as_good_as_one_in_the_header() throws Exception {
        try (Socket page = new Socket(node.port);
                Socket program = new Socket(node.port, "authorization", "Bearer " + ann())) {
            page.login(ann());
            assertThat(page.next().get("success").booleanValue()).isTrue();
            page.acquire("acme/login", "ann", 30);
            long token = page.next().at("/fencingToken/value").longValue();
            assertThat(token).isPositive();
            program.acquire("acme/login", "ann", 30);
            assertThat(program.next().at("/fencingToken/value").longValue()).isEqualTo(token);
        }
    }

    @Test
    void one_who_is_known_is_still_held_to_its_tenant() throws Exception {
        try (Socket page = new Socket(node.port)) {
            page.login(ann());
            page.next();
            page.acquire("other/k", "ann", 30);
            assertRefused(page, "PERMISSION_DENIED", "other/k");
            page.acquire("acme/k", "ann", 30);
            assertThat(page.next().get("success").booleanValue()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"commandType\": 0, \"key\": \"acme/early\", \"clientId\": \"c\", \"ttl\": 30}",
                "{\"commandType\": 1, \"key\": \"acme/early\", \"clientId\": \"c\", \"ttl\": 30}",
                "{\"token\": \"nonsense\"}",
                "{\"token\": \"\"}",
                "{}"
            })
    void before_a_token_nothing_else_is_accepted(String first) throws Exception {
        try (Socket page = new Socket(node.port)) {
            page.send(first);
            JsonNode refused = page.next();
            assertThat(refused.get("error").asText()).isEqualTo("UNAUTHENTICATED");
            assertThat(refused.get("message").asText()).contains("token");
            assertClosed(page, POLICY_VIOLATION, "UNAUTHENTICATED");
        }
        try (Socket page = new Socket(node.port, "authorization", "Bearer " + ann())) {
            page.release("acme/early", "c", 30);
            assertThat(page.next().get("outcome").asText()).isEqualTo("ALREADY_RELEASED");
        }
    }

    @Test
    void a_second_chance_there_is_not_and_what_is_no_json_is_no_login() throws Exception {
        try (Socket page = new Socket(node.port)) {
            page.send("nonsense");
            page.login(ann());
            assertRefused(page, "INVALID_ARGUMENT", "body");
            assertClosed(page, POLICY_VIOLATION, "INVALID_ARGUMENT");
            assertThat(page.isQuiet()).isTrue();
        }
    }

    @Test
    void one_who_may_only_read_is_not_let_in() throws Exception {
        try (Socket page = new Socket(node.port)) {
            page.login(SecuredNode.token("rita", "acme", Verb.READ));
            assertRefused(page, "PERMISSION_DENIED", "lock");
            assertClosed(page, POLICY_VIOLATION, "PERMISSION_DENIED");
        }
    }

    @Test
    @Tag("slow")
    void one_who_says_nothing_in_time_is_told_and_closed() throws Exception {
        long begin = System.nanoTime();
        try (Socket page = new Socket(node.port)) {
            assertRefused(page, "UNAUTHENTICATED", "token");
            assertClosed(page, POLICY_VIOLATION, "UNAUTHENTICATED");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(SocketEdge.LOGIN_TIME);
    }

    @Test
    void a_wrong_token_in_the_header_opens_nothing() {
        assertThatThrownBy(() -> new Socket(node.port, "authorization", "Bearer nonsense"))
                .hasCauseInstanceOf(WebSocketHandshakeException.class);
    }

    @Test
    void a_connection_ends_with_its_token_and_a_new_one_finds_the_locks_again() throws Exception {
        Duration left = Duration.ofSeconds(2).minus(SKEW);
        long token;
        try (Socket page = new Socket(node.port)) {
            page.login(SecuredNode.token("ann", "acme", "", Verb.LOCK, left));
            page.next();
            page.acquire("acme/expiring", "ann", 30);
            token = page.next().at("/fencingToken/value").longValue();
            assertRefused(page, "UNAVAILABLE", "authorization");
            assertClosed(page, TRY_AGAIN_LATER, "UNAVAILABLE");
        }
        try (Socket page = new Socket(node.port)) {
            page.login(ann());
            page.next();
            page.acquire("acme/expiring", "ann", 30);
            assertThat(page.next().at("/fencingToken/value").longValue()).isEqualTo(token);
        }
    }

    @Test
    void a_connection_ends_with_the_token_of_its_header_too() throws Exception {
        String token = SecuredNode.token(
                "ann", "acme", "", Verb.LOCK, Duration.ofSeconds(1).minus(SKEW));
        try (Socket program = new Socket(node.port, "authorization", "Bearer " + token)) {
            assertRefused(program, "UNAVAILABLE", "authorization");
            assertClosed(program, TRY_AGAIN_LATER, "UNAVAILABLE");
        }
    }

    @Test
    void pages_may_connect_if_their_site_is_listed_or_the_node_s_own() {
        new Socket(node.port, "Origin", "https://friend.example").close();
        new Socket(node.port, "Origin", "http://localhost:3000").close();
        new Socket(node.port, "Origin", "http://127.0.0.1:" + node.port).close();
        for (String stranger : new String[] {"http://friend.example", "https://friend.example.evil", "null"}) {
            assertThatThrownBy(() -> new Socket(node.port, "Origin", stranger))
                    .as(stranger)
                    .hasCauseInstanceOf(WebSocketHandshakeException.class);
        }
    }
}
