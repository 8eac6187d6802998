package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.replica.LeaseListeners;

/** Looks whether somebody still listens. */
final class Listening {
    private Listening() {}

    /** The last one may be leaving on another thread. */
    static void nobody(LeaseListeners listeners) {
        await().untilAsserted(() -> assertThat(listeners.leases()).isZero());
    }
}
