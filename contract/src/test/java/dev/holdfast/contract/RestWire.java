package dev.holdfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A client of the REST interface. */
final class RestWire implements Wire {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;
    private final Map<String, JsonNode> locks = new ConcurrentHashMap<>();
    private final List<CompletableFuture<?>> open = new ArrayList<>();

    RestWire(String address) {
        this.base = "http://" + address + "/api/v1/locks";
    }

    /** An answer. */
    record Answer(int status, JsonNode body) {}

    CompletableFuture<Answer> ask(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        CompletableFuture<HttpResponse<String>> sent =
                http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
        open.add(sent);
        return sent.thenApply(response -> {
            try {
                return new Answer(response.statusCode(), MAPPER.readTree(response.body()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public CompletableFuture<Long> lock(String key, int ttlSeconds) {
        return ask(
                        "POST",
                        "",
                        "{\"resourceId\": \"" + key + "\", \"ttl\": " + ttlSeconds
                                + ", \"blocking\": true, \"timeout\": 60}")
                .thenApply(answer -> {
                    if (answer.status() != 201) {
                        throw new IllegalStateException(answer.toString());
                    }
                    locks.put(key, answer.body());
                    return answer.body().get("fencingToken").longValue();
                });
    }

    @Override
    public Optional<Boolean> tryLock(String key, int ttlSeconds) {
        Answer answer = ask("POST", "", "{\"resourceId\": \"" + key + "\", \"ttl\": " + ttlSeconds + "}")
                .join();
        if (answer.status() == 201) {
            locks.put(key, answer.body());
        }
        return Optional.of(answer.status() == 201);
    }

    /** Something about a lock, with the proof that it is ours. */
    Answer ask(String method, JsonNode lock, String path, String body, String... headers) {
        List<String> all =
                new ArrayList<>(List.of("X-Lock-Token", lock.get("lockToken").asText()));
        all.addAll(List.of(headers));
        return ask(method, "/" + lock.get("lockId").asText() + path, body, all.toArray(String[]::new))
                .join();
    }

    /** Renews with a key, again and again while the cluster says that it does not know what came of it. */
    Answer renewed(JsonNode lock, String body, String idempotencyKey) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Answer answer = ask("PUT", lock, "/renew", body, "Idempotency-Key", idempotencyKey);
            if (answer.status() != 503 || System.nanoTime() > end) {
                return answer;
            }
        }
    }

    /** The answer that brought a lock. */
    JsonNode granted(String key) {
        return Objects.requireNonNull(locks.get(key), key);
    }

    @Override
    public void renew(String key, int ttlSeconds) {
        Answer answer = ask("PUT", granted(key), "/renew", "{\"additionalTtl\": " + ttlSeconds + "}");
        if (answer.status() != 200) {
            throw new IllegalStateException(answer.toString());
        }
    }

    @Override
    public void giveUp(String key) {
        hangUp();
    }

    @Override
    public JsonNode refusal(String key, int ttlSeconds) {
        Answer answer = ask("POST", "", "{\"resourceId\": \"" + key + "\", \"ttl\": " + ttlSeconds + "}")
                .join();
        if (answer.status() != 400) {
            throw new IllegalStateException(answer.toString());
        }
        return answer.body();
    }

    @Override
    public boolean release(String key) {
        Answer answer = ask("DELETE", granted(key), "", "");
        return answer.status() == 200 && !answer.body().get("alreadyReleased").booleanValue();
    }

    @Override
    public void hangUp() {
        open.forEach(sent -> sent.cancel(true));
    }

    @Override
    public void close() {
        hangUp();
    }
}
