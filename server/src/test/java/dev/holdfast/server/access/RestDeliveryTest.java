package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Over REST, too, a caller is told of its own keys alone, and what is refused is refused in the one shape. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestDeliveryTest {
    private static final String ADA = SecuredNode.token("ada", "", Verb.ADMIN);
    private static final String ANN = SecuredNode.token("ann", "acme", Verb.LOCK);
    private static final String BOTH =
            "{\"resources\": [{\"resourceId\": \"acme/%s\"}, {\"resourceId\": \"other/%s\"}]}";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private SecuredNode node;

    private record Answer(int status, JsonNode body) {}

    @SuppressWarnings("NullAway.Init")
    RestDeliveryTest() {}

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        node = new SecuredNode(directory, Map.of());
    }

    @AfterAll
    void stop() {
        node.close();
    }

    private HttpRequest.Builder request(String path, String token) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port + "/api/v1" + path))
                .timeout(Duration.ofSeconds(20))
                .header("authorization", "Bearer " + token);
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), new JsonMapper().readTree(response.body()));
    }

    private Answer get(String path, String token) throws Exception {
        return send(request(path, token));
    }

    private Answer lock(String body, String token) throws Exception {
        return send(request("/locks", token).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private Answer lockBoth(String name) throws Exception {
        Answer lock = lock(BOTH.replace("%s", name), ADA);
        assertThat(lock.status()).isEqualTo(201);
        return lock;
    }

    @Test
    void a_list_and_a_lock_of_several_keys_show_only_what_may_be_read() throws Exception {
        Answer lock = lockBoth("listed");
        JsonNode listed = get("/locks?prefix=", ANN).body();
        assertThat(listed.toString()).contains("acme/listed").doesNotContain("other/");
        Answer shown = get("/locks/" + lock.body().get("lockId").asText(), ANN);
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.body().toString()).contains("acme/listed").doesNotContain("other/");
    }

    @Test
    void a_watch_of_everything_delivers_only_what_may_be_read() throws Exception {
        HttpResponse<InputStream> watch =
                http.send(request("/watch?prefix=", ANN).build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(watch.statusCode()).isEqualTo(200);
        lock("{\"resourceId\": \"other/alone\"}", ADA);
        lockBoth("watched");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(watch.body(), StandardCharsets.UTF_8))) {
            String first = lines.lines()
                    .filter(line -> line.startsWith("data:"))
                    .findFirst()
                    .orElseThrow();
            assertThat(first).contains("acme/watched").doesNotContain("other/");
        }
    }

    @Test
    void another_tenants_key_is_refused_in_the_one_shape_and_nothing_is_taken() throws Exception {
        Answer refused = lock("{\"resourceId\": \"other/taken\"}", ANN);
        assertThat(refused.status()).isEqualTo(403);
        assertShape(refused.body(), "PERMISSION_DENIED");
        // Not even whether somebody holds it.
        lock("{\"resourceId\": \"other/held\"}", ADA);
        assertThat(lock("{\"resourceId\": \"other/held\", \"staleDenial\": true}", ANN)
                        .status())
                .isEqualTo(403);
        assertThat(get("/resources/other%2Ftaken", ADA).body().get("held").booleanValue())
                .isFalse();
    }

    @Test
    void a_token_that_proves_nobody_is_refused_in_the_one_shape_and_not_repeated() throws Exception {
        String forged = ANN.substring(0, ANN.lastIndexOf('.') + 1) + "A".repeat(43);
        String expired = SecuredNode.token("ann", "acme", "", Verb.LOCK, Duration.ofMinutes(-5));
        for (String token : new String[] {forged, expired, "a.b.c"}) {
            Answer refused = lock("{\"resourceId\": \"acme/forged\"}", token);
            assertThat(refused.status()).isEqualTo(401);
            assertShape(refused.body(), "UNAUTHENTICATED");
            assertThat(refused.body().toString()).doesNotContain(token);
        }
        assertThat(get("/resources/acme%2Fforged", ADA).body().get("held").booleanValue())
                .isFalse();
    }

    private static void assertShape(JsonNode body, String error) {
        assertThat(body.path("error").asText()).isEqualTo(error);
        assertThat(body.path("message").asText()).isNotEmpty();
        assertThat(body.has("field")).isTrue();
    }
}
