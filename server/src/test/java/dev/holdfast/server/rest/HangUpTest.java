package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.grpc.TestNode;
import dev.holdfast.server.rest.RestClient.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that do not wait for their answer. */
@Timeout(60)
class HangUpTest {
    private static final String WAIT = "{\"resourceId\": \"a\", \"blocking\": true, \"timeout\": 600}";
    private static final String SHORT =
            "{\"resourceId\": \"a\", \"blocking\": true, \"timeout\": 600, \"ttlMs\": 1000}";

    private static final Duration LEASE = Duration.ofSeconds(40);

    /** Most of them last as long as the TTL of the one who left. */
    private static final int ENCOUNTERS = Boolean.getBoolean("holdfast.long") ? 15 : 5;

    private final TestNode node = new TestNode();
    private final RestClient client = new RestClient(node.port());

    @AfterEach
    void stop() {
        node.close();
    }

    private Socket ask(String header) {
        return ask(header, WAIT);
    }

    private Socket ask(String header, String body) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
            socket.getOutputStream()
                    .write(("POST /api/v1/locks HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n"
                                    + header + "\r\n" + body)
                            .getBytes(StandardCharsets.UTF_8));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void who_hangs_up_leaves_the_queue_and_the_next_is_not_kept_waiting() throws Exception {
        Answer held = client.acquire("{\"resourceId\": \"a\"}");
        Socket waiting = ask("");
        await().until(() -> node.waiters("a") == 1);
        int leases = node.leases();
        waiting.close();
        await().until(() -> node.waiters("a") == 0);
        await().until(() -> node.leases() == leases - 1);
        client.release(held);
        assertThat(client.acquire("{\"resourceId\": \"a\"}").status()).isEqualTo(201);
    }

    @Test
    @Tag("slow")
    void a_lock_that_is_granted_to_one_who_left_is_free_again() throws Exception {
        for (int i = 0; i < ENCOUNTERS; i++) {
            Answer held = client.acquire("{\"resourceId\": \"a\"}");
            Socket waiting = ask("", SHORT);
            await().until(() -> node.waiters("a") == 1);
            // The grant and the hang-up meet, now this way round, now the other.
            var unused = client.async(
                    "DELETE", RestClient.LOCKS + "/" + held.text("lockId"), "", "X-Lock-Token", held.text("lockToken"));
            waiting.setSoLinger(true, 0);
            waiting.close();
            // An answer that was written just before the hang-up counts as given: then the lock lasts as long as its
            // TTL.
            await().atMost(LEASE)
                    .until(() -> node.locks() == 0 || node.holder("a").isEmpty());
            await().atMost(LEASE).until(() -> node.leases() == 0);
        }
    }

    @Test
    void who_has_an_idempotency_key_finds_its_place_again() throws Exception {
        Answer held = client.acquire("{\"resourceId\": \"a\"}");
        Socket waiting = ask("Idempotency-Key: k1\r\n");
        await().until(() -> node.waiters("a") == 1);
        waiting.close();
        var second = client.async("POST", RestClient.LOCKS, WAIT);
        await().until(() -> node.waiters("a") == 2);
        var again = client.async("POST", RestClient.LOCKS, WAIT, "Idempotency-Key", "k1");
        client.release(held);
        assertThat(again.join().status()).isEqualTo(201);
        assertThat(second).isNotDone();
        client.release(again.join());
        second.join();
    }
}
