package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.RequestHeaders;
import dev.holdfast.server.access.SecuredNode;
import dev.holdfast.server.access.Verb;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the port of a real node says about itself, and to clients that do not come to the end of what they say. */
@Tag("slow")
@Timeout(90)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init") // set before all tests
class ServicePortTest {
    private static final String TOKEN = SecuredNode.token("ann", "acme", Verb.LOCK);
    private static final String LOCK = "{\"resourceId\": \"acme/slow\"}";

    private final List<Socket> unfinished = new ArrayList<>();
    private SecuredNode node;
    private CompletableFuture<String> silent;
    private CompletableFuture<String> silentWithMuch;
    private CompletableFuture<String> halfClosed;
    private CompletableFuture<String> trickling;
    private CompletableFuture<AggregatedHttpResponse> multiplexed;

    /** Starts a node, and requests whose bodies do not arrive: their time passes while the other tests run. */
    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        node = new SecuredNode(directory, Map.of());
        silent = begin(post(LOCK.length()) + LOCK.substring(0, 5));
        silentWithMuch = begin(post(60_000) + "{");
        halfClosed = begin(post(LOCK.length()) + LOCK.substring(0, 5));
        unfinished.get(2).shutdownOutput();
        trickling = begin(post(60_000));
        inBackground(() -> trickle(unfinished.get(3)));
        HttpRequestWriter endless = HttpRequest.streaming(RequestHeaders.builder(HttpMethod.POST, "/api/v1/locks")
                .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + TOKEN)
                .build());
        endless.write(HttpData.ofUtf8("{"));
        multiplexed = WebClient.builder("h2c://127.0.0.1:" + node.port)
                .responseTimeout(Duration.ofSeconds(40))
                .build()
                .execute(endless)
                .aggregate();
    }

    /** Sends the beginning of a request; all that the node answers until it closes the connection. */
    private CompletableFuture<String> begin(String beginning) throws IOException {
        Socket socket = connect();
        unfinished.add(socket);
        send(socket, beginning);
        CompletableFuture<String> answer = new CompletableFuture<>();
        inBackground(() -> {
            try {
                answer.complete(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    @AfterAll
    void stop() throws IOException {
        for (Socket socket : unfinished) {
            socket.close();
        }
        node.close();
    }

    private AggregatedHttpResponse ask(String protocol, HttpMethod method, String path, String body) {
        RequestHeaders headers = RequestHeaders.builder(method, path)
                .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + TOKEN)
                .build();
        return WebClient.of(protocol + "://127.0.0.1:" + node.port)
                .execute(HttpRequest.of(headers, HttpData.ofUtf8(body)))
                .aggregate()
                .join();
    }

    @Test
    void no_answer_says_what_the_server_is_made_of() {
        for (String protocol : List.of("h1c", "h2c")) {
            List<AggregatedHttpResponse> answers = List.of(
                    ask(protocol, HttpMethod.GET, "/healthz", ""),
                    ask(protocol, HttpMethod.GET, "/metrics", ""),
                    ask(protocol, HttpMethod.GET, "/nowhere", ""),
                    ask(protocol, HttpMethod.GET, "/api/v1/nowhere", ""),
                    ask(protocol, HttpMethod.GET, "/api/v1/locks", ""),
                    ask(protocol, HttpMethod.POST, "/api/v1/locks", "x".repeat(100_000)),
                    ask(protocol, HttpMethod.GET, "/api/v1/ws", ""),
                    ask(protocol, HttpMethod.POST, "/holdfast.v1.LockService/Get", "x"));
            assertThat(answers).extracting(answer -> answer.status().code()).contains(200, 403, 404, 413);
            assertThat(answers)
                    .allSatisfy(answer ->
                            assertThat(answer.headers().contains("server")).isFalse())
                    .allSatisfy(answer -> assertThat(answer.contentUtf8().toLowerCase(java.util.Locale.ROOT))
                            .doesNotContain("armeria", "netty", "exception"));
        }
    }

    @Test
    void a_watch_over_http_ends_with_its_token() {
        // Nodes take a token for half a minute after it has expired.
        String token = SecuredNode.token("ann", "acme", "", Verb.LOCK, Duration.ofSeconds(-28));
        RequestHeaders headers = RequestHeaders.builder(HttpMethod.GET, "/api/v1/watch?prefix=acme/")
                .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + token)
                .build();
        AggregatedHttpResponse answer = WebClient.builder("h1c://127.0.0.1:" + node.port)
                .responseTimeout(Duration.ofSeconds(40))
                .build()
                .execute(HttpRequest.of(headers))
                .aggregate()
                .join();
        assertThat(answer.status().code()).isEqualTo(200);
        assertThat(answer.contentUtf8()).contains("event: error", "\"error\":\"UNAVAILABLE\"", "has expired");
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port);
        socket.setSoTimeout(40_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static String post(int length) {
        return "POST /api/v1/locks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + TOKEN + "\r\nContent-Length: "
                + length + "\r\n\r\n";
    }

    private static void assertTimedOut(String answer) {
        assertThat(answer)
                .startsWith("HTTP/1.1 408")
                .contains("\"error\":\"UNAVAILABLE\"", "\"field\":\"body\"", "body: did not arrive within 10 s")
                .doesNotContain("201");
    }

    @Test
    void a_body_that_does_not_arrive_in_time_is_a_typed_408_and_nothing_is_done() {
        assertTimedOut(silent.join());
        assertTimedOut(silentWithMuch.join());
        assertTimedOut(trickling.join());
        assertThat(halfClosed.join()).doesNotContain("201");
        AggregatedHttpResponse answer = multiplexed.join();
        assertThat(answer.status().code()).isEqualTo(408);
        assertThat(answer.contentUtf8()).contains("\"error\":\"UNAVAILABLE\"");
        assertThat(ask("h1c", HttpMethod.GET, "/api/v1/locks", "").contentUtf8())
                .doesNotContain("acme/slow");
    }

    /**
     * Answers leave a connection in order, so this 408 waits for that of the request before. First, for its ten seconds
     * are then also those of the requests that were begun before all tests.
     */
    @Test
    @Order(1)
    void a_body_that_comes_when_its_408_is_decided_but_not_yet_written_does_nothing() throws Exception {
        String late = "{\"resourceId\": \"acme/late\"}";
        String padded = late + " ".repeat(5_000);
        String one = hold("acme/one");
        String other = hold("acme/other");
        try (Socket small = connect();
                Socket large = connect();
                Socket afterThem = connect()) {
            send(small, waitFor("acme/one") + post(late.length()) + "{");
            send(large, waitFor("acme/other") + post(padded.length()) + "{");
            // Its time is up after theirs, so its 408 says that theirs are decided: nothing else can be seen of them.
            LockSupport.parkNanos(500_000_000);
            send(afterThem, post(padded.length()) + "{");
            assertTimedOut(read408(afterThem));
            send(small, late.substring(1));
            send(large, padded.substring(1));
            release(one);
            release(other);
            assertThat(read408(small)).startsWith("HTTP/1.1 201").contains("\"acme/one\"", "HTTP/1.1 408");
            assertThat(read408(large)).startsWith("HTTP/1.1 201").contains("\"acme/other\"", "HTTP/1.1 408");
        }
        AggregatedHttpResponse history = ask("h1c", HttpMethod.GET, "/api/v1/resources/acme%2Flate/history", "");
        assertThat(history.status().code()).isEqualTo(200);
        assertThat(history.contentUtf8()).doesNotContain("acme/late");
    }

    private String hold(String key) {
        return ask("h1c", HttpMethod.POST, "/api/v1/locks", "{\"resourceId\": \"" + key + "\", \"ttl\": 60}")
                .contentUtf8();
    }

    private static String waitFor(String key) {
        String body = "{\"resourceId\": \"" + key + "\", \"blocking\": true, \"timeout\": 60}";
        return post(body.length()) + body;
    }

    /** All that comes until a 408 is there, which is some seconds before the connection is closed. */
    private static String read408(Socket socket) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf("\"field\":\"body\"}") < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as("after %s", read).isNotNegative();
            read.append((char) next);
        }
        return read.toString();
    }

    private void release(String granted) {
        RequestHeaders headers = RequestHeaders.builder(HttpMethod.DELETE, "/api/v1/locks/" + field("lockId", granted))
                .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + TOKEN)
                .set("x-lock-token", field("lockToken", granted))
                .build();
        AggregatedHttpResponse answer = WebClient.of("h1c://127.0.0.1:" + node.port)
                .execute(HttpRequest.of(headers))
                .aggregate()
                .join();
        assertThat(answer.status().code()).isEqualTo(200);
    }

    private static String field(String name, String answer) {
        Matcher matcher = Pattern.compile('"' + name + "\":\"([^\"]+)\"").matcher(answer);
        assertThat(matcher.find()).as(answer).isTrue();
        return matcher.group(1);
    }

    /** Never silent, and never done. */
    private static void trickle(Socket socket) {
        try {
            for (int i = 0; i < 400; i++) {
                send(socket, " ");
                LockSupport.parkNanos(100_000_000);
            }
        } catch (IOException e) {
            // Closed, as it should be.
        }
    }

    @Test
    void one_slow_client_does_not_hold_up_others() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                Socket socket = connect();
                slow.add(socket);
                send(socket, post(1_000) + "{");
            }
            AggregatedHttpResponse answer =
                    ask("h1c", HttpMethod.POST, "/api/v1/locks", "{\"resourceId\": \"acme/quick\"}");
            assertThat(answer.status().code()).isEqualTo(201);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }
}
