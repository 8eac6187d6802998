package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** REST while nodes stop. */
@Timeout(120)
class RestFailoverTest {
    private static final String KEY = "orders/1";

    @TempDir
    Path root;

    private final List<String> taken = new ArrayList<>();
    private LocalCluster cluster;

    @SuppressWarnings("NullAway.Init")
    RestFailoverTest() {}

    @BeforeEach
    void start() throws IOException, InterruptedException {
        cluster = LocalCluster.start(root, 3);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private RestWire rest(int node) {
        return new RestWire(cluster.address(node));
    }

    @Test
    void a_retry_after_a_change_of_leader_is_the_same_lock_or_the_same_place() {
        String held = "{\"resourceId\": \"" + KEY + "\", \"ttl\": 60}";
        String waiting = "{\"resourceId\": \"" + KEY + "\", \"ttl\": 60, \"blocking\": true, \"timeout\": 100}";
        int leader = leader();
        int second = (leader + 1) % 3;
        int third = (leader + 2) % 3;
        JsonNode lock = rest(leader)
                .ask("POST", "", held, "Idempotency-Key", "holder")
                .join()
                .body();
        var lost = rest(leader).ask("POST", "", waiting, "Idempotency-Key", "waiter");
        try (Operator operator = new Operator(cluster.address(second))) {
            await().until(() -> operator.waiters(KEY) == 1);
            cluster.stop(leader);
            await().atMost(Duration.ofSeconds(20)).until(lost::isCompletedExceptionally);
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                RestWire.Answer again = rest(third)
                        .ask("POST", "", held, "Idempotency-Key", "holder")
                        .join();
                return again.status() == 201
                        && again.body().get("lockToken").equals(lock.get("lockToken"))
                        && again.body().get("fencingToken").equals(lock.get("fencingToken"));
            });
            CompletableFuture<RestWire.Answer> again =
                    rest(second).ask("POST", "", waiting, "Idempotency-Key", "waiter");
            CompletableFuture<RestWire.Answer> late = rest(third).ask("POST", "", waiting);
            await().until(() -> operator.waiters(KEY) == 2);
            release(third, lock);
            assertThat(again.join().status()).isEqualTo(201);
            assertThat(late).isNotDone();
            release(second, again.join().body());
            assertThat(late.join().status()).isEqualTo(201);
        }
    }

    private void release(int node, JsonNode lock) {
        assertThat(rest(node)
                        .ask(
                                "DELETE",
                                "/" + lock.get("lockId").asText(),
                                "",
                                "X-Lock-Token",
                                lock.get("lockToken").asText())
                        .join()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_watch_goes_on_at_another_node_without_a_gap_or_a_repetition() throws Exception {
        List<String> seen = new ArrayList<>();
        String cursor = "";
        int rounds = 6;
        for (int round = 0; round < rounds; round++) {
            try (InputStream stream = watch(round % 3, cursor)) {
                BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
                for (int i = 0; i < 3; i++) {
                    take(round, i);
                }
                for (int events = 0; events < 3; ) {
                    String line = lines.readLine();
                    if (line.startsWith("id: ")) {
                        cursor = line.substring(4);
                    } else if (line.startsWith("data: ")) {
                        seen.add(new JsonMapper()
                                .readTree(line.substring(6))
                                .at("/events/0/resourceId")
                                .asText());
                        events++;
                    }
                }
            }
            take(round, 99);
        }
        // What came between two watches came first in the next, so the last of all were not waited for.
        assertThat(seen).hasSize(rounds * 3).isEqualTo(taken.subList(0, rounds * 3));
    }

    private void take(int round, int number) {
        String key = "w/" + round + "/" + number;
        taken.add(key);
        assertThat(rest(round % 3)
                        .ask("POST", "", "{\"resourceId\": \"" + key + "\", \"ttl\": 60}")
                        .join()
                        .status())
                .isEqualTo(201);
    }

    private InputStream watch(int node, String cursor) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://" + cluster.address(node) + "/api/v1/watch?prefix=w/"));
        if (!cursor.isEmpty()) {
            request.header("Last-Event-ID", cursor);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofInputStream())
                .body();
    }

    private int leader() {
        for (int i = 0; i < 3; i++) {
            try (Operator operator = new Operator(cluster.address(i))) {
                if (operator.status().getRole().equals("leading")) {
                    return i;
                }
            }
        }
        throw new AssertionError("nobody leads");
    }
}
