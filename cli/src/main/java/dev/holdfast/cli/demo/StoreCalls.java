package dev.holdfast.cli.demo;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What the demonstration asks of the data store, as any program would over HTTP. */
final class StoreCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String address;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    StoreCalls(String address) {
        this.address = address;
    }

    /** Writes under a token; gives the status and the body of the answer. */
    String write(String client, String key, long token, String data) throws IOException, InterruptedException {
        // Names, keys and data of the demonstration need no escaping.
        String body = """
                {"clientID": "%s", "fencingToken": {"key": "%s", "value": %d}, "data": "%s"}""".formatted(client, key, token, data);
        return send(HttpRequest.newBuilder(URI.create(address + "/write"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Reads under a token, which keeps out whoever has a lower one from then on. */
    String read(String key, long token) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(
                address + "/read?key=" + URLEncoder.encode(key, StandardCharsets.UTF_8) + "&token=" + token)));
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response =
                http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body().strip();
    }
}
