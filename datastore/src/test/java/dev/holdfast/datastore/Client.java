package dev.holdfast.datastore;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks a data store. */
final class Client {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Not version 2: there, who is refused for sending too much may learn of the broken stream first. */
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String base;

    Client(int port) {
        base = "http://127.0.0.1:" + port;
    }

    record Answer(int status, JsonNode json) {
        String text(String field) {
            return json.path(field).asText();
        }
    }

    Answer write(String key, long token, String data) throws IOException, InterruptedException {
        return post(JSON.createObjectNode()
                .put("clientID", "c1")
                .put("data", data)
                .set("fencingToken", JSON.createObjectNode().put("key", key).put("value", token))
                .toString());
    }

    Answer post(String body) throws IOException, InterruptedException {
        return ask(HttpRequest.newBuilder(URI.create(base + "/write"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    Answer read(String key) throws IOException, InterruptedException {
        return get("key=" + URLEncoder.encode(key, StandardCharsets.UTF_8));
    }

    Answer read(String key, long token) throws IOException, InterruptedException {
        return get("key=" + URLEncoder.encode(key, StandardCharsets.UTF_8) + "&token=" + token);
    }

    Answer get(String query) throws IOException, InterruptedException {
        return ask(HttpRequest.newBuilder(URI.create(base + "/read?" + query)));
    }

    Answer ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response =
                http.send(request.timeout(Duration.ofSeconds(20)).build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), JSON.readTree(response.body()));
    }
}
