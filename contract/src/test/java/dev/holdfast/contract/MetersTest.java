package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.embedded.Holdfast;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MetersTest {
    @TempDir
    Path root;

    @Test
    void a_client_counts_its_waits_holds_losses_and_connections() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (Holdfast holdfast = Holdfast.embedded(root);
                Operator operator = new Operator(holdfast.channel());
                HoldfastClient client =
                        holdfast.clientBuilder().metrics(registry).build()) {
            client.lock("a").acquire().release();
            Grant lost = client.lock("a").acquire();
            assertThat(client.lock("a").tryAcquire()).isEmpty();
            operator.takeAway("a");
            await().until(() -> !lost.isValid());
            assertThat(registry.get("holdfast.client.wait").timer().count()).isEqualTo(2);
            assertThat(registry.get("holdfast.client.hold").timer().count()).isEqualTo(1);
            assertThat(registry.get("holdfast.client.timeouts").counter().count())
                    .isEqualTo(1);
            assertThat(registry.get("holdfast.client.lost")
                            .tag("reason", "REVOKED")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("holdfast.client.connections").counter().count())
                    .isEqualTo(1);
        }
    }
}
