package dev.holdfast.server.rest;

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

/** Reads server-sent events as a browser does. */
final class EventSource implements AutoCloseable {
    private final InputStream in;
    private final BufferedReader lines;
    private String id;

    /** One message. */
    record Message(String event, String id, JsonNode data) {}

    private EventSource(InputStream in, String id) {
        this.in = in;
        this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.id = id;
    }

    static EventSource open(String address, String query, String lastEventId) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://" + address + "/api/v1/watch?" + query));
        if (!lastEventId.isEmpty()) {
            request.header("Last-Event-ID", lastEventId);
        }
        HttpResponse<InputStream> response =
                HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new AssertionError("no stream but " + response.statusCode());
        }
        return new EventSource(response.body(), lastEventId);
    }

    /** Waits for the next message that has data. */
    Message next() throws IOException {
        String event = "message";
        StringBuilder data = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty() && data.length() > 0) {
                return new Message(event, id, new JsonMapper().readTree(data.toString()));
            } else if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("event: ")) {
                event = line.substring(7);
            } else if (line.startsWith("data: ")) {
                data.append(line.substring(6));
            }
        }
        throw new IOException("the stream ended");
    }

    String id() {
        return id;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
