package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which web pages a node serves, and under which names: bytes on its port, as browsers send them. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OriginsTest {
    private static final Pattern LENGTH = Pattern.compile("content-length: (\\d+)");
    private static final String PROXY = "https://locks.example.com";

    /** Asks nobody who they are, and listens on loopback only. */
    private SecuredNode open;
    /** Asks for tokens. */
    private SecuredNode closed;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        open = new SecuredNode(directory.resolve("open"), Map.of("auth.keys", "", "web.origins", PROXY));
        closed = new SecuredNode(directory.resolve("closed"), Map.of());
    }

    @AfterAll
    void stop() {
        open.close();
        closed.close();
    }

    private static String first(int port, String text) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(text.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return answer(socket.getInputStream());
        }
    }

    /** Its head, and as much of a body as it announces. */
    private static String answer(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("closed after: " + text);
            }
            text.append((char) next);
        }
        Matcher length = LENGTH.matcher(text);
        int body = length.find() ? Integer.parseInt(length.group(1)) : 0;
        return text + new String(in.readNBytes(body), StandardCharsets.UTF_8);
    }

    private static String get(int port, String path, String host, String... headers) throws IOException {
        return first(port, head("GET", path, host, headers) + "\r\n");
    }

    private static String lock(int port, String host, String... headers) throws IOException {
        String body = "{\"resourceId\": \"a" + System.nanoTime() + "\"}";
        return first(
                port,
                head("POST", "/api/v1/locks", host, headers) + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private static String head(String method, String path, String host, String... headers) {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nConnection: close\r\n");
        head.append("Host: ").append(host).append("\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return head.toString();
    }

    private String here(String host) {
        return host + ":" + open.port;
    }

    @Test
    void a_page_whose_name_was_pointed_at_this_machine_can_take_nothing() throws Exception {
        String page = here("evil.example");
        assertThat(lock(open.port, page, "Origin: http://" + page))
                .startsWith("HTTP/1.1 403")
                .contains("Origin");
        assertThat(lock(open.port, here("127.0.0.1"), "Origin: http://" + page)).startsWith("HTTP/1.1 403");
    }

    /** Its own browser takes it for a page of this node, and sends no Origin with what only reads. */
    @Test
    void nor_can_it_read_where_nobody_needs_a_token() throws Exception {
        String page = here("evil.example");
        assertThat(get(open.port, "/api/v1/locks", page))
                .startsWith("HTTP/1.1 403")
                .contains("\"field\":\"Host\"")
                .contains("evil.example");
        assertThat(get(open.port, "/metrics", page)).startsWith("HTTP/1.1 403");
        assertThat(get(open.port, "/api/v1/watch?prefix=a", page)).startsWith("HTTP/1.1 403");
    }

    private LockServiceBlockingStub grpc(String... header) {
        return GrpcClients.builder("gproto+http://127.0.0.1:" + open.port + "/")
                .decorator((delegate, context, request) -> {
                    if (header.length > 0) {
                        context.setAdditionalRequestHeader(header[0], header[1]);
                    }
                    return delegate.execute(context, request);
                })
                .build(LockServiceBlockingStub.class);
    }

    @Test
    void nor_call_over_grpc() {
        LeaseGrantRequest lease = LeaseGrantRequest.newBuilder().setTtlMs(1_000).build();
        assertThat(grpc().leaseGrant(lease).getId()).isNotZero();
        assertThatThrownBy(() -> grpc("Origin", "http://evil.example").leaseGrant(lease))
                .hasMessageContaining("PERMISSION_DENIED: Origin");
        assertThatThrownBy(() -> grpc(":authority", here("evil.example")).leaseGrant(lease))
                .hasMessageContaining("PERMISSION_DENIED: Host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "[::1]"})
    void pages_of_the_node_itself_are_served(String name) throws Exception {
        assertThat(lock(open.port, here(name), "Origin: http://" + here(name))).startsWith("HTTP/1.1 201");
        assertThat(get(open.port, "/api/v1/locks", here(name))).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"null", "http://localhost:1", "https://127.0.0.1:", "http://localhost", "http://evil.example"})
    void pages_of_anybody_else_on_this_machine_are_not(String origin) throws Exception {
        String complete = origin.endsWith(":") ? origin + open.port : origin;
        assertThat(lock(open.port, here("localhost"), "Origin: " + complete)).startsWith("HTTP/1.1 403");
    }

    /** The proxy speaks plain HTTP to the node, by whichever name it was asked for. */
    @Test
    void pages_behind_a_proxy_that_ends_tls_are_served_if_they_are_listed() throws Exception {
        assertThat(lock(open.port, here("127.0.0.1"), "Origin: " + PROXY)).startsWith("HTTP/1.1 201");
        assertThat(lock(open.port, "locks.example.com", "Origin: " + PROXY)).startsWith("HTTP/1.1 201");
        assertThat(get(open.port, "/api/v1/locks", "LOCKS.example.com")).startsWith("HTTP/1.1 200");
        assertThat(lock(open.port, "locks.example.com", "Origin: http://locks.example.com"))
                .startsWith("HTTP/1.1 403");
    }

    @Test
    void a_tunnel_to_another_port_is_no_other_name() throws Exception {
        assertThat(get(open.port, "/api/v1/locks", "localhost:9999")).startsWith("HTTP/1.1 200");
    }

    @Test
    void whoever_has_a_token_calls_the_node_as_they_like() throws Exception {
        String token = SecuredNode.token("ann", "acme", Verb.LOCK);
        assertThat(get(closed.port, "/api/v1/locks?prefix=acme/", "locks.internal", "Authorization: Bearer " + token))
                .startsWith("HTTP/1.1 200");
        assertThat(get(
                        closed.port,
                        "/api/v1/locks?prefix=acme/",
                        "locks.internal",
                        "Authorization: Bearer " + token,
                        "Origin: http://locks.internal"))
                .startsWith("HTTP/1.1 403");
    }

    @Test
    void whether_a_node_is_well_everybody_may_know() throws Exception {
        assertThat(get(open.port, "/healthz", "evil.example")).startsWith("HTTP/1.1 200");
        assertThat(get(open.port, "/readyz", "evil.example", "Origin: http://evil.example"))
                .startsWith("HTTP/1.1 200");
    }
}
