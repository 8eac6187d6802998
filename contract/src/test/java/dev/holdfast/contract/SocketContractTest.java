package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Locks over WebSocket, on any node. */
class SocketContractTest extends WireContract {
    @Override
    Wire connect(int node, String name) {
        return new SocketWire(cluster.address(node), name + " of " + key);
    }

    @Test
    void who_was_disconnected_finds_its_place_again_on_another_node() {
        try (Wire holder = new SocketWire(cluster.address(0), "holder");
                Wire before = new SocketWire(cluster.address(1), "wanderer");
                Wire later = new SocketWire(cluster.address(1), "later")) {
            holder.lock(key, 20).join();
            CompletableFuture<Long> unanswered = before.lock(key, 20);
            awaitWaiters(1);
            before.hangUp();
            CompletableFuture<Long> second = later.lock(key, 20);
            awaitWaiters(2);
            try (Wire after = new SocketWire(cluster.address(2), "wanderer")) {
                CompletableFuture<Long> first = after.lock(key, 20);
                holder.release(key);
                first.join();
                assertThat(second).isNotDone();
                assertThat(unanswered).isNotDone();
                assertThat(after.release(key)).isTrue();
                second.join();
                later.release(key);
            }
        }
    }
}
