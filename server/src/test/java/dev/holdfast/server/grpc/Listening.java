package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.replica.LeaseListeners;
import java.time.Duration;

/** Looks whether somebody still listens. */
final class Listening {
    private Listening() {}

    /** The last one may be leaving on another thread; mostly it has left. */
    static void nobody(LeaseListeners listeners) {
        await().pollDelay(Duration.ZERO)
                .untilAsserted(() -> assertThat(listeners.leases()).isZero());
    }
}
