package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.contract.RestWire.Answer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of renewals when the leader stops while they are on their way. */
@Timeout(180)
class RenewalFaultTest {
    private static final String TTL = "{\"ttl\": 600}";

    @TempDir
    Path root;

    @Test
    void a_renewal_with_a_key_takes_effect_once_whatever_leaders_do_meanwhile() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root, 3)) {
            int total = 60;
            JsonNode lock = taken(cluster);
            for (int round = 0; round < 3; round++) {
                int leader = leader(cluster);
                int survivor = (leader + 1) % 3;
                String key = "round-" + round;
                String body = "{\"additionalTtl\": " + (round + 1) + "}";
                total += round + 1;
                try (RestWire doomed = new RestWire(cluster.address(leader));
                        RestWire alive = new RestWire(cluster.address(survivor))) {
                    // One through the leader, one that is forwarded to it: nobody knows whether they are done.
                    CompletableFuture<?> lost = renewal(doomed, lock, body, key);
                    CompletableFuture<?> unsure = renewal(alive, lock, body, key);
                    cluster.stop(leader);
                    Answer again = alive.renewed(lock, body, key);
                    assertThat(again.status()).as(again.toString()).isEqualTo(200);
                    assertThat(again.body().get("totalTtl").intValue()).isEqualTo(total);
                    assertThat(alive.renewed(lock, TTL, "k" + round)
                                    .body()
                                    .get("totalTtl")
                                    .intValue())
                            .isEqualTo(total);
                    cluster.restart(leader);
                    CompletableFuture.allOf(lost, unsure).join();
                    // Also by the node that has read it from its log.
                    assertThat(new RestWire(cluster.address(leader))
                                    .renewed(lock, body, key)
                                    .body()
                                    .get("totalTtl")
                                    .intValue())
                            .isEqualTo(total);
                }
            }
        }
    }

    private static JsonNode taken(LocalCluster cluster) {
        try (RestWire wire = new RestWire(cluster.address(0))) {
            Answer answer =
                    wire.ask("POST", "", "{\"resourceId\": \"a\", \"ttl\": 60}").join();
            assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
            return answer.body();
        }
    }

    private static CompletableFuture<?> renewal(RestWire wire, JsonNode lock, String body, String key) {
        return wire.ask(
                        "PUT",
                        "/" + lock.get("lockId").asText() + "/renew",
                        body,
                        "X-Lock-Token",
                        lock.get("lockToken").asText(),
                        "Idempotency-Key",
                        key)
                .handle((answer, failure) -> "over");
    }

    private static int leader(LocalCluster cluster) {
        for (int i = 0; i < 3; i++) {
            try (Operator operator = new Operator(cluster.address(i))) {
                if (operator.status().getRole().equals("leading")) {
                    return i;
                }
            }
        }
        return 0;
    }
}
