package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every HTTP route × everybody who may try it, on key {@code acme/k}. A route without a line here fails. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RouteMatrixTest {
    private static final String KEY = "acme%2Fk";
    /** A grant of {@code acme/k} that was never made. */
    private static final String LOCK_ID = "AAAAAAAAAAJhY21lL2s";

    /** Who calls, in the order of the columns below. */
    private static final Map<String, String> CALLERS = new LinkedHashMap<>();

    /**
     * What becomes of a request: U not known, D denied, p passed, if only to be told that what it names is not there.
     */
    private static final Map<String, Row> MATRIX = new LinkedHashMap<>();

    private record Row(String outcomes, String body) {}

    static {
        CALLERS.put("no credential", "");
        CALLERS.put("expired", SecuredNode.token("ann", "acme", "", Verb.ADMIN, Duration.ofMinutes(-5)));
        CALLERS.put("other tenant", SecuredNode.token("oz", "other", Verb.ADMIN));
        CALLERS.put("reader", SecuredNode.token("ray", "acme", Verb.READ));
        CALLERS.put("writer", SecuredNode.token("will", "acme", Verb.LOCK));
        CALLERS.put("tenant's admin", SecuredNode.token("tia", "acme", Verb.ADMIN));
        CALLERS.put("admin", SecuredNode.token("ada", "", Verb.ADMIN));

        String lock = "{\"resourceId\": \"acme/k\"}";
        row("POST /api/v1/locks", "UUDDppp", lock);
        row("POST /api/v1/locks/plan", "UUDDppp", lock);
        row("POST /api/v1/locks/batch", "UUDDppp", "{\"operations\": [{\"acquire\": " + lock + "}]}");
        row("DELETE /api/v1/locks/{lockId}", "UUppppp", "");
        row("PUT /api/v1/locks/{lockId}/renew", "UUppppp", "{\"additionalTtl\": 1}");
        row("GET /api/v1/locks/{lockId}", "UUDpppp", "");
        row("GET /api/v1/locks", "UUppppp", "");
        row("GET /api/v1/resources/{resourceId}", "UUDpppp", "");
        row("GET /api/v1/resources/{resourceId}/history", "UUDpppp", "");
        row("GET /api/v1/resources/{resourceId}/explain", "UUDpppp", "");
        row("GET /api/v1/watch", "UUppppp", "");
        row("GET /api/v1/openapi.json", "ppppppp", "");
        row("GET /metrics", "UUDDDDp", "");
        row("GET /healthz", "ppppppp", "");
        row("GET /readyz", "ppppppp", "");
    }

    private static void row(String route, String outcomes, String body) {
        MATRIX.put(route, new Row(outcomes, body));
    }

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private SecuredNode node;

    @SuppressWarnings("NullAway.Init")
    RouteMatrixTest() {}

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        node = new SecuredNode(directory, Map.of());
    }

    @AfterAll
    void stop() {
        node.close();
    }

    /** The description names every route of the edge, which another test sees to. */
    @Test
    void every_route_that_is_described_has_a_line() throws Exception {
        HttpResponse<String> served = http.send(
                HttpRequest.newBuilder(uri("/api/v1/openapi.json")).build(), HttpResponse.BodyHandlers.ofString());
        JsonNode paths = new JsonMapper().readTree(served.body()).get("paths");
        Set<String> described = new TreeSet<>();
        paths.fieldNames()
                .forEachRemaining(path -> paths.get(path)
                        .fieldNames()
                        .forEachRemaining(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));
        assertThat(described).isNotEmpty();
        assertThat(MATRIX.keySet()).containsAll(described);
        assertThat(MATRIX.values()).allSatisfy(row -> assertThat(row.outcomes()).hasSize(CALLERS.size()));
    }

    @TestFactory
    Stream<DynamicTest> each_route_by_each_caller() {
        List<String> names = List.copyOf(CALLERS.keySet());
        return MATRIX.entrySet().stream()
                .flatMap(line -> IntStream.range(0, names.size())
                        .mapToObj(i -> dynamicTest(
                                line.getKey() + " by " + names.get(i),
                                () -> assertThat(outcome(
                                                line.getKey(),
                                                line.getValue().body(),
                                                CALLERS.getOrDefault(names.get(i), "")))
                                        .isEqualTo(line.getValue().outcomes().charAt(i)))));
    }

    private char outcome(String route, String body, String token) throws IOException, InterruptedException {
        int blank = route.indexOf(' ');
        String path = route.substring(blank + 1).replace("{lockId}", LOCK_ID).replace("{resourceId}", KEY);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(20))
                .header("x-lock-token", "A".repeat(32))
                .method(route.substring(0, blank), HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("authorization", "Bearer " + token);
        }
        // Not its body: a watch goes on.
        HttpResponse<InputStream> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        return switch (answer.statusCode()) {
            case 401 -> 'U';
            // Who may ask but holds nothing is told so by the same number.
            case 403 ->
                new String(answer.body().readAllBytes(), StandardCharsets.UTF_8).contains("PERMISSION_DENIED")
                        ? 'D'
                        : 'p';
            default -> {
                assertThat(answer.statusCode()).isLessThan(500);
                yield 'p';
            }
        };
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + node.port + path);
    }
}
