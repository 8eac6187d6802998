package dev.holdfast.server.websocket;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client on a WebSocket. */
final class Socket implements WebSocket.Listener, AutoCloseable {
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final WebSocket socket;
    private final StringBuilder part = new StringBuilder();
    private volatile int closeCode;
    private volatile String closeReason = "";

    Socket(int port, String... headers) {
        WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        socket = builder.buildAsync(URI.create("ws://127.0.0.1:" + port + SocketEdge.PATH), this)
                .join();
    }

    void acquire(String key, String client, int ttl) {
        send("{\"commandType\": 0, \"key\": \"" + key + "\", \"clientId\": \"" + client + "\", \"ttl\": " + ttl + "}");
    }

    void release(String key, String client, int ttl) {
        send("{\"commandType\": 1, \"key\": \"" + key + "\", \"clientId\": \"" + client + "\", \"ttl\": " + ttl + "}");
    }

    void send(String text) {
        socket.sendText(text, true).join();
    }

    void sendBinary(byte[] bytes) {
        socket.sendBinary(java.nio.ByteBuffer.wrap(bytes), true).join();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        part.append(data);
        if (last) {
            messages.add(part.toString());
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int statusCode, String reason) {
        closeReason = reason;
        closeCode = statusCode;
        return null;
    }

    int closeCode() {
        return closeCode;
    }

    String closeReason() {
        return closeReason;
    }

    void login(String token) {
        send("{\"token\": \"" + token + "\"}");
    }

    JsonNode next() throws InterruptedException, JsonProcessingException {
        String message = messages.poll(20, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("nothing came");
        }
        return new JsonMapper().readTree(message);
    }

    boolean isQuiet() {
        return messages.isEmpty();
    }

    @Override
    public void close() {
        socket.abort();
    }
}
