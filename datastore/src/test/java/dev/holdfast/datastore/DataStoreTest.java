package dev.holdfast.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.datastore.Client.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The store through its port. */
@Timeout(60)
class DataStoreTest {
    /** One for all tests, each with keys of its own: stopping takes its time. */
    @TempDir
    static Path root;

    private static DataStore store;
    private static Client client;

    @BeforeAll
    static void start() throws Exception {
        store = DataStore.start(root, loopback(0));
        client = new Client(store.port());
    }

    @AfterAll
    static void stop() throws Exception {
        store.close();
    }

    @Test
    void holder_writes_as_often_as_it_likes_and_anybody_reads() throws Exception {
        assertThat(client.write("orders/42", 33, "one").json()).hasToString("{\"success\":true}");
        assertThat(client.write("orders/42", 33, "two").status()).isEqualTo(200);
        Answer read = client.read("orders/42");
        assertThat(read.text("data")).isEqualTo("two");
        assertThat(read.text("clientID")).isEqualTo("c1");
        assertThat(client.read("orders/43").status()).isEqualTo(404);
    }

    /** As a cluster gives it out: a number, and a text for those whose numbers end at 2^53. */
    @Test
    void token_is_read_back_as_it_was_written_and_can_be_written_again() throws Exception {
        long large = (40L << 48) + 1;
        for (String token : List.of(
                "{\"key\":\"t\",\"value\":%d}".formatted(large),
                "{\"key\":\"t\",\"value\":\"%d\"}".formatted(large),
                "{\"key\":\"t\",\"value\":%d,\"valueString\":\"%d\"}".formatted(large, large),
                "{\"key\":\"t\",\"value\":%d,\"valueString\":\"%d\"}".formatted(large - 1, large))) {
            assertThat(client.post("{\"clientID\":\"c\",\"fencingToken\":%s,\"data\":\"\"}".formatted(token))
                            .status())
                    .as(token)
                    .isEqualTo(200);
            assertThat(client.read("t").json().path("fencingToken"))
                    .hasToString("{\"key\":\"t\",\"value\":%d,\"valueString\":\"%d\"}".formatted(large, large));
        }
    }

    @Test
    void stale_write_is_refused_with_both_tokens() throws Exception {
        client.write("stale", 34, "new");
        Answer refused = client.write("stale", 33, "old");
        assertThat(refused.status()).isEqualTo(412);
        assertThat(refused.json().path("success").asBoolean(true)).isFalse();
        assertThat(refused.text("error")).isEqualTo("STALE_TOKEN");
        assertThat(refused.text("presented")).isEqualTo("33");
        assertThat(refused.text("highest")).isEqualTo("34");
        assertThat(client.read("stale").text("data")).isEqualTo("new");
    }

    @Test
    void entering_read_fences_out_older_writers() throws Exception {
        client.write("entered", 33, "5");
        assertThat(client.read("entered", 34).text("data")).isEqualTo("5");
        assertThat(client.write("entered", 33, "6").status()).isEqualTo(412);
        assertThat(client.read("entered", 33).status()).isEqualTo(412);
        assertThat(client.get("key=shared&token=7&shared=true").status()).isEqualTo(404);
        assertThat(client.write("shared", 6, "6").status()).isEqualTo(412);
        assertThat(client.get("key=shared&token=5&shared=true").status()).isEqualTo(404);
    }

    @Test
    void everything_is_as_it_was_after_a_restart() throws Exception {
        client.write("again", 34, "new");
        client.read("again", 35);
        client.post(numbered("again/numbered", 3, "three"));
        stop();
        start();
        assertThat(client.read("again").text("data")).isEqualTo("new");
        assertThat(client.write("again", 34, "old").text("highest")).isEqualTo("35");
        assertThat(client.post(numbered("again/numbered", 3, "other")).text("repeated"))
                .isEqualTo("true");
        assertThat(client.read("again/numbered").text("data")).isEqualTo("three");
    }

    @Test
    void numbered_write_is_done_once() throws Exception {
        assertThat(client.post(numbered("n", 1, "one")).json()).hasToString("{\"success\":true}");
        assertThat(client.post(numbered("n", 1, "again")).text("repeated")).isEqualTo("true");
        client.post(numbered("n", 3, "three"));
        Answer late = client.post(numbered("n", 2, "two"));
        assertThat(late.status()).isEqualTo(412);
        assertThat(late.text("error")).isEqualTo("STALE_SEQUENCE");
        assertThat(client.read("n").text("data")).isEqualTo("three");
    }

    private static String numbered(String key, int sequence, String data) {
        return "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"%s\",\"value\":\"33\"},\"data\":\"%s\",\"sequence\":%d}"
                .formatted(key, data, sequence);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void what_cannot_be_right_is_refused_by_its_name_and_nothing_is_written() throws Exception {
        long before = Files.size(root.resolve("data.txt"));
        String token = "\"fencingToken\":{\"key\":\"a\",\"value\":1}";
        Map<String, String> bodies = Map.ofEntries(
                Map.entry(
                        "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"a\",\"value\":0},\"data\":\"\"}",
                        "fencingToken.value"),
                Map.entry(
                        "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"a\",\"value\":-5},\"data\":\"\"}",
                        "fencingToken.value"),
                Map.entry(
                        "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"a\",\"value\":1.5},\"data\":\"\"}",
                        "fencingToken.value"),
                Map.entry(
                        "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"a\",\"value\":99999999999999999999},\"data\":\"\"}",
                        "fencingToken.value"),
                Map.entry(
                        "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"a\",\"value\":\"x\"},\"data\":\"\"}",
                        "fencingToken.value"),
                Map.entry(
                        "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"a\",\"value\":1,\"valueString\":\"2\"},\"data\":\"\"}",
                        "fencingToken.valueString"),
                Map.entry("{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"a\"},\"data\":\"\"}", "fencingToken.value"),
                Map.entry(
                        "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"\",\"value\":1},\"data\":\"\"}",
                        "fencingToken.key"),
                Map.entry("{\"clientID\":\"c\",\"fencingToken\":{\"value\":1},\"data\":\"\"}", "fencingToken.key"),
                Map.entry(
                        "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"a\",\"value\":1,\"x\":1},\"data\":\"\"}",
                        "fencingToken.x"),
                Map.entry("{\"clientID\":\"c\",\"data\":\"\"}", "fencingToken"),
                Map.entry("{" + token + ",\"data\":\"\"}", "clientID"),
                Map.entry("{\"clientID\":\"" + "c".repeat(300) + "\"," + token + ",\"data\":\"\"}", "clientID"),
                Map.entry("{\"clientID\":\"c\"," + token + "}", "data"),
                Map.entry("{\"clientID\":\"c\"," + token + ",\"data\":7}", "data"),
                Map.entry("{\"clientID\":\"c\"," + token + ",\"data\":\"\",\"more\":1}", "more"),
                Map.entry("{\"clientID\":\"c\"," + token + ",\"data\":\"\",\"sequence\":0}", "sequence"),
                Map.entry("{\"clientID\":\"c\"," + token + ",\"data\":\"\"} more", "body"),
                Map.entry("{\"clientID\":\"c\",\"clientID\":\"d\"," + token + ",\"data\":\"\"}", "body"),
                Map.entry("[]", "body"),
                Map.entry("garbage", "body"),
                Map.entry("", "body"));
        bodies.forEach((body, field) -> {
            try {
                Answer refused = client.post(body);
                assertThat(refused.status()).as(body).isEqualTo(400);
                assertThat(refused.text("error")).as(body).isEqualTo("INVALID_ARGUMENT");
                assertThat(refused.text("field")).as(body).isEqualTo(field);
                assertThat(refused.text("message")).as(body).startsWith(field + ": ");
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(body, e);
            }
        });
        assertThat(client.get("token=3").text("field")).isEqualTo("key");
        assertThat(client.get("key=a&token=-3").text("field")).isEqualTo("token");
        assertThat(client.get("key=a&token=x").text("field")).isEqualTo("token");
        assertThat(Files.size(root.resolve("data.txt"))).isEqualTo(before);
    }

    @Test
    void body_that_is_too_large_is_refused_and_nothing_is_written() throws Exception {
        long before = Files.size(root.resolve("data.txt"));
        Answer data = client.write("large", 1, "x".repeat(WriteRequest.MAX_DATA_BYTES + 1));
        assertThat(data.status()).isEqualTo(400);
        assertThat(data.text("field")).isEqualTo("data");
        Answer body = client.write("large", 1, "x".repeat(DataStore.MAX_BODY_BYTES + 1));
        assertThat(body.status()).isEqualTo(413);
        assertThat(body.text("field")).isEqualTo("body");
        assertThat(Files.size(root.resolve("data.txt"))).isEqualTo(before);
        assertThat(client.write("large", 1, "x".repeat(WriteRequest.MAX_DATA_BYTES))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void what_there_is_not_is_told_in_the_same_shape() throws Exception {
        Answer refused = client.ask(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + store.port() + "/other")));
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.text("field")).isEqualTo("path");
        assertThat(refused.text("message")).contains("/write", "/read");
    }

    @Test
    void no_web_page_writes_or_reads() throws Exception {
        String page = "http://evil.example:" + store.port();
        Answer refused = client.ask(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + store.port() + "/write"))
                .header("Origin", page)
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"clientID\":\"c\",\"fencingToken\":{\"key\":\"page\",\"value\":1},\"data\":\"\"}")));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("error")).isEqualTo("PERMISSION_DENIED");
        assertThat(refused.text("field")).isEqualTo("Origin");
        assertThat(client.read("page").status()).isEqualTo(404);
    }

    /** Of a page whose name was pointed at this machine: its browser takes the store for the page's own site. */
    @Test
    void store_on_loopback_is_called_by_no_other_name() throws Exception {
        assertThat(firstLine("localhost:1")).contains(" 404 ");
        assertThat(firstLine("[::1]")).contains(" 404 ");
        assertThat(firstLine("evil.example:" + store.port())).contains(" 403 ");
        assertThat(firstLine("localhost.evil.example")).contains(" 403 ");
    }

    private static String firstLine(String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), store.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("GET /read?key=nothing HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    @Test
    void directory_and_port_are_used_by_one_store_at_a_time() {
        assertThatThrownBy(() -> DataStore.start(root, loopback(0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
        assertThatThrownBy(() -> DataStore.start(root.resolve("other"), loopback(store.port())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen");
    }
}
