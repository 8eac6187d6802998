package dev.holdfast.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The costliest that may be asked over HTTP and on a WebSocket, where it is not what gRPC has too. */
final class HostileDoors {
    /** In one batch, in one set, and sent at once on a WebSocket. */
    private static final int MANY = 64;

    /** Semaphores in each set of a batch: as many as its body has room for, or a third. */
    private static final int SETS = Figures.times(4, 12);

    private static final int PAGES = 4;
    private static final int READ_BYTES = 64 * 1024;
    private static final int PATIENCE_SECONDS = 60;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final SplittableRandom random;
    private final String address;
    private final String crowded;
    private final HostileAnswers answers;
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final WebSocket socket;

    /** @param crowded a key for which very many wait */
    HostileDoors(String address, String crowded, long seed, HostileAnswers answers) {
        this.random = new SplittableRandom(seed);
        this.address = address;
        this.crowded = crowded;
        this.answers = answers;
        this.socket = http.newWebSocketBuilder()
                .buildAsync(URI.create("ws://" + address + "/api/v1/ws"), new Listener())
                .join();
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder part = new StringBuilder();

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
    }

    Map<String, Hostility.Attempt> attempts() {
        Map<String, Hostility.Attempt> attempts = new LinkedHashMap<>();
        attempts.put("REST batch", () -> post("/batch", batch()));
        attempts.put("REST plan", () -> post("/plan", "{\"resources\": [" + nested() + "]}"));
        attempts.put("REST renew", this::renew);
        attempts.put("REST history", this::history);
        attempts.put("REST watch", this::watch);
        attempts.put("WebSocket locks", () -> exchange(0));
        attempts.put("WebSocket releases", () -> exchange(1));
        return attempts;
    }

    private String api(String path) {
        return "http://" + address + "/api/v1" + path;
    }

    private String post(String path, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(api("/locks" + path)))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private String send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        answers.http(response.statusCode(), response.body());
        return response.body();
    }

    /** As many locks as a batch may ask for, each of several semaphores; most of them are there already. */
    private String batch() {
        return IntStream.range(0, MANY)
                .mapToObj(i -> "{\"acquire\": {\"ttlMs\": 1000, \"resources\": ["
                        + IntStream.range(0, SETS)
                                .mapToObj(j -> "{\"resourceId\": \"hostile/batch/" + i + "/" + j
                                        + "\", \"capacity\": 10000, \"permits\": 800}")
                                .collect(Collectors.joining(","))
                        + "]}}")
                .collect(Collectors.joining(",", "{\"operations\": [", "]}"));
    }

    /** Subtrees that are each above the next. */
    private static String nested() {
        return IntStream.range(0, MANY)
                .mapToObj(i -> "{\"kind\": \"SUBTREE\", \"resourceId\": \"hostile" + "/t".repeat(i) + "\"}")
                .collect(Collectors.joining(","));
    }

    /** Makes the machine remember an answer each time. */
    private void renew() throws IOException, InterruptedException {
        String lock = post("", "{\"resourceId\": \"hostile/renew/" + random.nextLong() + "\", \"ttl\": 5}");
        for (int i = 0; i < MANY; i++) {
            send(HttpRequest.newBuilder(URI.create(api("/locks/" + field(lock, "lockId") + "/renew")))
                    .header("X-Lock-Token", field(lock, "lockToken"))
                    .header("Idempotency-Key", "k" + i)
                    .PUT(HttpRequest.BodyPublishers.ofString("{\"additionalTtlMs\": 1}"))
                    .build());
        }
    }

    private static String field(String json, String name) {
        return json.replaceAll(".*\"" + name + "\":\"([^\"]*).*", "$1");
    }

    /** What is to be found nowhere is looked for longest. */
    private void history() throws IOException, InterruptedException {
        String before = "";
        for (int page = 0; page < PAGES; page++) {
            String body = get("/resources/hostile%2Fnone/history?limit=1000" + before);
            if (!body.contains("\"next\":")) {
                return;
            }
            before = "&before=" + body.replaceAll(".*\"next\":([0-9]+).*", "$1");
        }
    }

    private String get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(api(path))).build());
    }

    /** Everything from as long ago as is remembered; hangs up after some of it. */
    private void watch() throws IOException, InterruptedException {
        HttpResponse<InputStream> response = http.send(
                HttpRequest.newBuilder(URI.create(api("/watch?prefix=hostile&allEvents=true")))
                        .header("Last-Event-ID", "0-1")
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream events = response.body()) {
            if (response.statusCode() == 200) {
                answers.done();
                events.readNBytes(READ_BYTES);
            } else {
                answers.http(response.statusCode(), new String(events.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }

    /** Locks of clients that nobody has heard of, or releases of what they never had; and of one in a crowd. */
    private void exchange(int command) throws InterruptedException {
        for (int i = 0; i < MANY; i++) {
            long unknown = random.nextLong();
            String key = command == 1 && i % 2 == 0 ? crowded : "hostile/socket/" + unknown;
            socket.sendText(
                            "{\"commandType\": " + command + ", \"key\": \"" + key + "\", \"clientId\": \"c" + unknown
                                    + "\", \"ttl\": 1}",
                            true)
                    .join();
        }
        for (int i = 0; i < MANY; i++) {
            String answer = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError("no answer on a WebSocket");
            }
            answers.socket(answer);
        }
    }
}
