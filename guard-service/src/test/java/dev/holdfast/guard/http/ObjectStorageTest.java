package dev.holdfast.guard.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.StaleTokenException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The recipe for object storage, against a server that keeps one object and heeds conditions as S3 does. */
@Timeout(60)
class ObjectStorageTest {
    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private HttpServer server;
    private final Storage storage = new Storage();
    private GuardedObject object;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", storage::handle);
        server.setExecutor(threads);
        server.start();
        object = new GuardedObject(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/object"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void stale_holder_neither_reads_nor_writes() throws Exception {
        object.write(Access.exclusive("a", 33), "five".getBytes(UTF_8));
        assertThat(object.read(Access.exclusive("a", 34))).isEqualTo("five".getBytes(UTF_8));
        assertThatThrownBy(() -> object.write(Access.exclusive("a", 33), "six".getBytes(UTF_8)))
                .isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> object.read(Access.exclusive("a", 33))).isInstanceOf(StaleTokenException.class);
        assertThat(object.read(Access.shared("a", 35))).isEqualTo("five".getBytes(UTF_8));
    }

    /** S3's ETag tells nothing of metadata: marks that lay there could be raised without anybody noticing. */
    @Test
    void holder_that_enters_to_read_fences_a_writer_that_looked_just_before() throws Exception {
        object.write(Access.exclusive("a", 33), "five".getBytes(UTF_8));
        storage.beforeNextPut.set(() -> {
            try {
                assertThat(object.read(Access.exclusive("a", 34))).isEqualTo("five".getBytes(UTF_8));
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThatThrownBy(() -> object.write(Access.exclusive("a", 33), "six".getBytes(UTF_8)))
                .isInstanceOf(StaleTokenException.class);
        assertThat(object.read(Access.exclusive("a", 34))).isEqualTo("five".getBytes(UTF_8));
    }

    @Test
    void object_that_was_not_written_through_a_guard_is_not_taken_for_one_without_marks() throws Exception {
        storage.body = "five".getBytes(UTF_8);
        assertThatThrownBy(() -> object.write(Access.exclusive("a", 33), "six".getBytes(UTF_8)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no marks");
    }

    @Test
    void numbered_write_is_done_once() throws Exception {
        Access write = Access.exclusive("a", 33).write(1);
        assertThat(object.write(write, "one".getBytes(UTF_8))).isEqualTo(Entry.NEW);
        assertThat(object.write(write, "again".getBytes(UTF_8))).isEqualTo(Entry.REPEATED);
        assertThat(object.read(Access.exclusive("a", 33))).isEqualTo("one".getBytes(UTF_8));
    }

    @Test
    void no_acknowledged_update_is_lost_whoever_else_writes() throws Exception {
        AtomicLong tokens = new AtomicLong(1);
        object.write(Access.exclusive("a", 1), "0".getBytes(UTF_8));
        List<Future<Integer>> holders = new ArrayList<>();
        ExecutorService clients = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 4; i++) {
            holders.add(clients.submit(() -> add(tokens)));
        }
        int acknowledged = 0;
        for (Future<Integer> holder : holders) {
            acknowledged += holder.get();
        }
        clients.shutdown();
        byte[] last = object.read(Access.exclusive("a", tokens.incrementAndGet()));
        assertThat(Integer.parseInt(new String(last, UTF_8)))
                .isEqualTo(acknowledged)
                .isPositive();
    }

    private int add(AtomicLong tokens) throws IOException, InterruptedException {
        int acknowledged = 0;
        for (int i = 0; i < 50; i++) {
            Access access = Access.exclusive("a", tokens.incrementAndGet());
            try {
                int read = Integer.parseInt(new String(object.read(access), UTF_8));
                object.write(access, Integer.toString(read + 1).getBytes(UTF_8));
                acknowledged++;
            } catch (StaleTokenException e) {
                // Somebody else has the lock by now.
            }
        }
        return acknowledged;
    }

    /** One object, with the ETag that S3 gives it: the hash of its body, and of nothing else. */
    private static final class Storage {
        private final AtomicReference<Runnable> beforeNextPut = new AtomicReference<>(() -> {});
        private byte @Nullable [] body;

        void handle(HttpExchange exchange) throws IOException {
            try (exchange) {
                if (exchange.getRequestMethod().equals("GET")) {
                    get(exchange);
                } else {
                    beforeNextPut.getAndSet(() -> {}).run();
                    put(exchange, exchange.getRequestBody().readAllBytes());
                }
            }
        }

        private synchronized void get(HttpExchange exchange) throws IOException {
            if (body == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            exchange.getResponseHeaders().set("ETag", etag(body));
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }

        private synchronized void put(HttpExchange exchange, byte[] contents) throws IOException {
            boolean applies = body == null
                    ? "*".equals(exchange.getRequestHeaders().getFirst("If-None-Match"))
                    : etag(body).equals(exchange.getRequestHeaders().getFirst("If-Match"));
            body = applies ? contents : body;
            exchange.sendResponseHeaders(applies ? 200 : 412, -1);
        }

        private static String etag(byte[] body) {
            try {
                return '"'
                        + HexFormat.of()
                                .formatHex(MessageDigest.getInstance("MD5").digest(body))
                        + '"';
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e);
            }
        }
    }
}
