package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Clients that take a connection and do not ask anything, by the handler that the client port has. */
@Tag("slow")
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HalfOpenClientsTest {
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private final CompletableFuture<HttpResponse> slowAnswer = new CompletableFuture<>();
    private Server server;

    @BeforeAll
    void start() {
        Duration time = Duration.ofMillis(500);
        server = Server.builder()
                .http(0)
                .requestTimeout(Duration.ZERO)
                .childChannelPipelineCustomizer(
                        pipeline -> RequestDeadline.on(pipeline.channel(), new Connections(100), time))
                .service("/", guarded((context, request) -> HttpResponse.of(HttpStatus.OK)))
                .service("/slow", guarded((context, request) -> HttpResponse.of(slowAnswer)))
                .build();
        server.start().join();
    }

    private static HttpService guarded(HttpService service) {
        return Gate.OPEN.guard(Permission.PUBLIC, service, error -> HttpResponse.of(HttpStatus.FORBIDDEN));
    }

    @AfterAll
    void stop() {
        // Not waited for: the server's own threads linger for seconds.
        var unused = server.stop();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.activeLocalPort());
        socket.setSoTimeout(30_000);
        return socket;
    }

    /** Whether the server ends the connection, rather than this test its patience. */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            InputStream in = socket.getInputStream();
            return in.read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static String readAnswer(Socket socket) throws IOException {
        byte[] buffer = new byte[4_096];
        int length = socket.getInputStream().read(buffer);
        return new String(buffer, 0, Math.max(length, 0), StandardCharsets.US_ASCII);
    }

    @Test
    void a_client_that_says_nothing_is_dropped() throws IOException {
        try (Socket socket = connect()) {
            assertThat(isClosed(socket)).isTrue();
        }
    }

    @Test
    void a_client_that_sends_its_header_byte_by_byte_is_dropped() throws IOException {
        try (Socket socket = connect()) {
            Thread trickle = new Thread(() -> {
                try {
                    for (int i = 0; i < 1_000; i++) {
                        send(socket, i == 0 ? "GET / HTTP/1.1\r\nHost: " : "x");
                        LockSupport.parkNanos(20_000_000); // slow, but never silent
                    }
                } catch (IOException e) {
                    // Dropped, as it should be.
                }
            });
            trickle.start();
            assertThat(isClosed(socket)).isTrue();
        }
    }

    @Test
    void a_client_that_begins_a_second_request_and_stops_is_dropped() throws IOException {
        try (Socket socket = connect()) {
            send(socket, REQUEST);
            assertThat(readAnswer(socket)).startsWith("HTTP/1.1 200");
            send(socket, "GET / HT");
            while (!isClosed(socket)) {
                // What is left of the first answer.
            }
        }
    }

    @Test
    void a_client_that_waits_for_its_answer_is_left_alone_however_long_it_takes() throws Exception {
        try (Socket socket = connect();
                Socket idle = connect()) {
            send(socket, "POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n");
            send(socket, "abc");
            // The other one is dropped after the same time.
            assertThat(isClosed(idle)).isTrue();
            try (Socket later = connect()) {
                assertThat(isClosed(later)).isTrue();
            }
            slowAnswer.complete(HttpResponse.of(HttpStatus.OK));
            assertThat(readAnswer(socket)).startsWith("HTTP/1.1 200");
        }
    }
}
