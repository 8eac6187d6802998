package dev.holdfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A client of the WebSocket interface. */
final class SocketWire implements Wire, WebSocket.Listener {
    private static final JsonMapper MAPPER = new JsonMapper();

    private final String clientId;
    private final WebSocket socket;
    private final StringBuilder part = new StringBuilder();
    private final Map<String, CompletableFuture<Long>> grants = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Boolean>> releases = new ConcurrentHashMap<>();

    private final AtomicReference<CompletableFuture<JsonNode>> refusals =
            new AtomicReference<>(new CompletableFuture<>());

    SocketWire(String address, String clientId) {
        this.clientId = clientId;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://" + address + "/api/v1/ws"), this)
                .join();
    }

    @Override
    public CompletableFuture<Long> lock(String key, int ttlSeconds) {
        CompletableFuture<Long> grant = new CompletableFuture<>();
        grants.put(key, grant);
        send(0, key, ttlSeconds);
        return grant;
    }

    @Override
    public Optional<Boolean> tryLock(String key, int ttlSeconds) {
        return Optional.empty();
    }

    @Override
    public boolean release(String key) {
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        releases.put(key, released);
        send(1, key, 1);
        return released.join();
    }

    /** To ask for what one holds starts its time over. */
    @Override
    public void renew(String key, int ttlSeconds) {
        lock(key, ttlSeconds).join();
    }

    @Override
    public void giveUp(String key) {
        release(key);
    }

    @Override
    public JsonNode refusal(String key, int ttlSeconds) {
        CompletableFuture<JsonNode> refused = new CompletableFuture<>();
        refusals.set(refused);
        send(0, key, ttlSeconds);
        return refused.join();
    }

    private void send(int command, String key, int ttl) {
        socket.sendText(
                        "{\"commandType\": " + command + ", \"key\": \"" + key + "\", \"clientId\": \"" + clientId
                                + "\", \"ttl\": " + ttl + "}",
                        true)
                .join();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        part.append(data);
        if (last) {
            received(part.toString());
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    private void received(String text) {
        JsonNode message;
        try {
            message = MAPPER.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (message.has("fencingToken")) {
            String key = message.at("/fencingToken/key").asText();
            grants.getOrDefault(key, new CompletableFuture<>())
                    .complete(message.at("/fencingToken/value").longValue());
        } else if (message.has("error")) {
            refusals.get().complete(message);
        } else {
            String outcome = message.path("outcome").asText();
            releases.getOrDefault(message.path("key").asText(), new CompletableFuture<>())
                    .complete(outcome.equals("RELEASED"));
        }
    }

    @Override
    public void hangUp() {
        socket.abort();
    }

    @Override
    public void close() {
        hangUp();
    }
}
