package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Locks over REST, on any node. */
class RestContractTest extends WireContract {
    @Override
    Wire connect(int node, String name) {
        return new RestWire(cluster.address(node));
    }

    @Test
    void who_hangs_up_leaves_the_queue() {
        try (RestWire holder = new RestWire(cluster.address(0));
                RestWire leaving = new RestWire(cluster.address(1));
                RestWire next = new RestWire(cluster.address(2))) {
            holder.lock(key, 20).join();
            CompletableFuture<Long> left = leaving.lock(key, 20);
            awaitWaiters(1);
            leaving.hangUp();
            awaitWaiters(0);
            CompletableFuture<Long> waiting = next.lock(key, 20);
            awaitWaiters(1);
            holder.release(key);
            waiting.join();
            assertThat(left).isNotCompleted();
            next.release(key);
        }
    }

    @Test
    void a_retry_on_another_node_is_the_same_lock() {
        try (RestWire first = new RestWire(cluster.address(0));
                RestWire other = new RestWire(cluster.address(1))) {
            String body = "{\"resourceId\": \"" + key + "\", \"ttl\": 20}";
            RestWire.Answer lock =
                    first.ask("POST", "", body, "Idempotency-Key", key).join();
            RestWire.Answer again =
                    other.ask("POST", "", body, "Idempotency-Key", key).join();
            assertThat(lock.status()).isEqualTo(201);
            assertThat(again.body().get("lockToken")).isEqualTo(lock.body().get("lockToken"));
            assertThat(again.body().get("fencingToken")).isEqualTo(lock.body().get("fencingToken"));
            assertThat(other.ask(
                                    "DELETE",
                                    "/" + lock.body().get("lockId").asText(),
                                    "",
                                    "X-Lock-Token",
                                    lock.body().get("lockToken").asText())
                            .join()
                            .status())
                    .isEqualTo(200);
        }
    }
}
