package dev.holdfast.server.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Asks a node over HTTP/1.1, and holds every answer against the served description. */
final class RestClient {
    static final String LOCKS = "/api/v1/locks";
    private static final JsonMapper MAPPER = new JsonMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;
    private final Schemas schemas;

    /** What came back. */
    record Answer(int status, JsonNode body, HttpResponse<?> response) {
        String text(String field) {
            return body.path(field).asText();
        }

        String error() {
            return text("error");
        }
    }

    RestClient(int port) {
        this.base = "http://127.0.0.1:" + port;
        this.schemas = new Schemas(plain("GET", "/api/v1/openapi.json").body());
    }

    Answer post(String path, String body, String... headers) {
        return ask("POST", path, body, headers);
    }

    Answer acquire(String body, String... headers) {
        return ask("POST", LOCKS, body, headers);
    }

    Answer release(Answer lock) {
        return ask("DELETE", LOCKS + "/" + lock.text("lockId"), "", "X-Lock-Token", lock.text("lockToken"));
    }

    Answer renew(Answer lock, String body) {
        return ask("PUT", LOCKS + "/" + lock.text("lockId") + "/renew", body, "X-Lock-Token", lock.text("lockToken"));
    }

    /** With an {@code Idempotency-Key}. */
    Answer renew(Answer lock, String body, String key) {
        String path = LOCKS + "/" + lock.text("lockId") + "/renew";
        return ask("PUT", path, body, "X-Lock-Token", lock.text("lockToken"), "Idempotency-Key", key);
    }

    Answer get(String path) {
        return ask("GET", path, "");
    }

    Answer ask(String method, String path, String body, String... headers) {
        return checked(method, path, plain(method, path, body, headers));
    }

    CompletableFuture<Answer> async(String method, String path, String body, String... headers) {
        return http.sendAsync(
                        request(method, path, body.getBytes(StandardCharsets.UTF_8), headers),
                        HttpResponse.BodyHandlers.ofByteArray())
                .thenApply(response -> checked(method, path, answer(response)));
    }

    private Answer checked(String method, String path, Answer answer) {
        schemas.check(method, path, answer.status(), answer.body());
        return answer;
    }

    /** Without a look at the description. */
    Answer plain(String method, String path, String body, String... headers) {
        return plain(method, path, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    Answer plain(String method, String path) {
        return plain(method, path, new byte[0]);
    }

    Answer plain(String method, String path, byte[] body, String... headers) {
        try {
            return answer(http.send(request(method, path, body, headers), HttpResponse.BodyHandlers.ofByteArray()));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(method + " " + path, e);
        }
    }

    private HttpRequest request(String method, String path, byte[] body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofSeconds(60))
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    private static Answer answer(HttpResponse<byte[]> response) {
        try {
            return new Answer(response.statusCode(), MAPPER.readTree(response.body()), response);
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + new String(response.body(), StandardCharsets.UTF_8), e);
        }
    }
}
