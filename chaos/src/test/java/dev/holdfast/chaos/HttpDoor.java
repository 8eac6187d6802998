package dev.holdfast.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A client of what nodes serve over HTTP and WebSocket. */
final class HttpDoor {
    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final String BASE = "/api/v1";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofMillis(500))
            .build();

    /** What came back. */
    record Answer(int status, String body) {
        boolean isOneOf(int... statuses) {
            for (int each : statuses) {
                if (each == status) {
                    return true;
                }
            }
            return false;
        }

        /** The first field of this name. */
        String field(String name) {
            Matcher found = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(body);
            if (!found.find()) {
                throw new AssertionError("no " + name + " in " + this);
            }
            return found.group(1);
        }

        /** The answers within this one that begin like this. */
        List<Answer> parts(String beginning) {
            List<Answer> parts = new ArrayList<>();
            for (int at = body.indexOf(beginning); at >= 0; at = body.indexOf(beginning, at + 1)) {
                parts.add(new Answer(status, body.substring(at)));
            }
            return parts;
        }

        /** What to throw for an answer that is not wanted: nothing is wrong where a node could not serve, and said so. */
        IOException fault() {
            // A node that was away and took a snapshot has no events from before it.
            if (isOneOf(408, 429, 503) || body.contains("COMPACTED")) {
                return new IOException(toString());
            }
            throw new AssertionError(toString());
        }
    }

    Answer ask(String address, String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + address + BASE + path))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    /** The same about a lock, with the proof that it is ours. */
    Answer own(String address, String method, String path, Answer lock, String body)
            throws IOException, InterruptedException {
        return ask(
                address,
                method,
                "/locks/" + lock.field("lockId") + path,
                body,
                "X-Lock-Token",
                lock.field("lockToken"));
    }

    /** Watches for a while, behind a cursor unless it is empty; gives the cursor to go on from. */
    String watch(String address, String prefix, String cursor, long millis) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://" + address + BASE + "/watch?prefix=" + prefix));
        if (!cursor.isEmpty()) {
            request.header("Last-Event-ID", cursor);
        }
        CompletableFuture<HttpResponse<InputStream>> sent =
                http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        String last = cursor;
        try {
            HttpResponse<InputStream> response = sent.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            long begun = System.nanoTime();
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                // The first id comes at once, and others while things happen, as they do here.
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.contains("\"error\"")) {
                        throw new Answer(response.statusCode(), line).fault();
                    }
                    if (line.startsWith("id: ")) {
                        last = line.substring("id: ".length());
                    }
                    if (System.nanoTime() - begun > millis * 1_000_000 && !last.isEmpty()) {
                        break;
                    }
                }
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(e);
        } finally {
            sent.cancel(true);
        }
        if (last.isEmpty()) {
            throw new IOException("the watch ended without a word");
        }
        return last;
    }

    Socket socket(String address) throws ExecutionException, InterruptedException, TimeoutException {
        Socket socket = new Socket();
        socket.opened = http.newWebSocketBuilder()
                .connectTimeout(PATIENCE)
                .buildAsync(URI.create("ws://" + address + BASE + "/ws"), socket)
                .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        return socket;
    }

    /** One connection; asks one thing at a time. */
    static final class Socket implements WebSocket.Listener, AutoCloseable {
        private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        private final StringBuilder part = new StringBuilder();
        private volatile @Nullable WebSocket opened;
        private String client = "";

        long acquire(String key, String clientId, int ttlSeconds)
                throws ExecutionException, InterruptedException, TimeoutException {
            client = clientId;
            return Long.parseLong(ask(0, key, ttlSeconds).field("value"));
        }

        void release(String key) throws ExecutionException, InterruptedException, TimeoutException {
            var unused = ask(1, key, 1).field("outcome");
        }

        private Answer ask(int command, String key, int ttl)
                throws ExecutionException, InterruptedException, TimeoutException {
            WebSocket socket = opened;
            if (socket == null) {
                throw new IllegalStateException("not open");
            }
            socket.sendText(
                            "{\"commandType\": " + command + ", \"key\": \"" + key + "\", \"clientId\": \"" + client
                                    + "\", \"ttl\": " + ttl + "}",
                            true)
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            Answer answer = answers.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (answer == null || answer.body().isEmpty()) {
                throw new TimeoutException("no answer");
            }
            // The last one where nobody could be asked until its lease had run out.
            if (Stream.of("UNAVAILABLE", "NO_LEADER", "LEASE_EXPIRED").anyMatch(answer.body()::contains)) {
                throw new TimeoutException(answer.body());
            }
            return answer;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                answers.add(new Answer(200, part.toString()));
                part.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable failure) {
            answers.add(new Answer(503, ""));
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            answers.add(new Answer(503, ""));
            return null;
        }

        @Override
        public void close() {
            WebSocket socket = opened;
            if (socket != null) {
                socket.abort();
            }
        }
    }
}
