package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.HoldfastClientBuilder;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.RefusedException;
import dev.holdfast.client.network.BearerToken;
import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.LimitSetRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client and a node that asks who it is. */
@Timeout(120)
class TokenTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    /** Past its time, and good for a few seconds of the skew that is allowed. */
    private static final Duration BRIEF = Duration.ofSeconds(-26);

    @TempDir
    static Path root;

    private static LocalCluster node;

    @BeforeAll
    static void start() throws Exception {
        node = LocalCluster.start(root, 1, Bearer.settings(root));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static String token(Duration left) {
        return Bearer.token("ann", "acme", "lock", left);
    }

    @Test
    void a_client_locks_what_its_token_allows_and_nothing_else() throws Exception {
        try (HoldfastClient client =
                HoldfastClient.builder(node.endpoints()).token(token(LONG)).build()) {
            assertThatThrownBy(() -> client.lock("other/k").acquire())
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("acme/ann may not lock key other/k");
            try (Grant grant = client.lock("acme/k").acquire()) {
                assertThat(grant.isValid()).isTrue();
            }
        }
    }

    private static void set(String limit, long value) {
        ManagedChannel channel = Grpc.newChannelBuilder(node.endpoints(), InsecureChannelCredentials.create())
                .build();
        try {
            var unused = AdminGrpc.newBlockingStub(channel)
                    .withCallCredentials(new BearerToken(() -> Bearer.token("operator", "", "admin", LONG)))
                    .limitSet(LimitSetRequest.newBuilder()
                            .setName(limit)
                            .setValue(value)
                            .build());
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void a_client_that_has_all_it_may_have_is_told_at_once_and_goes_on_when_it_gives_back() throws Exception {
        set("LOCKS_PER_PRINCIPAL", 1);
        try (HoldfastClient client =
                HoldfastClient.builder(node.endpoints()).token(token(LONG)).build()) {
            Grant grant = client.lock("acme/one").acquire();
            assertThatThrownBy(() -> client.lock("acme/two").acquire())
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refused -> assertThat(refused.code()).isEqualTo("QUOTA_EXCEEDED"))
                    .hasMessageContaining("LOCKS_PER_PRINCIPAL: 2 would be in use by acme/ann, at most 1");
            grant.release();
            try (Grant another = client.lock("acme/two").acquire()) {
                assertThat(another.isValid()).isTrue();
            }
        } finally {
            set("LOCKS_PER_PRINCIPAL", 2_500_000);
        }
    }

    @Test
    void a_client_for_whose_session_there_is_no_room_is_told_at_once() throws Exception {
        set("LEASES_PER_PRINCIPAL", 1);
        HoldfastClientBuilder builder = HoldfastClient.builder(node.endpoints()).token(token(LONG));
        try (HoldfastClient first = builder.build();
                HoldfastClient second = builder.build();
                Grant grant = first.lock("acme/first").acquire()) {
            assertThat(grant.isValid()).isTrue();
            assertThatThrownBy(() -> second.lock("acme/second").acquire())
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("LEASES_PER_PRINCIPAL");
        } finally {
            set("LEASES_PER_PRINCIPAL", 2_500_000);
        }
    }

    @Test
    void a_client_comes_back_with_a_new_token_when_the_old_one_expires_and_has_kept_its_lock() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (HoldfastClient client = HoldfastClient.builder(node.endpoints())
                .sessionTtl(Duration.ofSeconds(30))
                .token(() -> token(asked.getAndIncrement() == 0 ? BRIEF : LONG))
                .build()) {
            Grant grant = client.lock("acme/kept").acquire();
            await().atMost(Duration.ofSeconds(60)).until(() -> asked.get() > 1);
            try (Grant another = client.lock("acme/another").acquire()) {
                assertThat(another.isValid()).isTrue();
            }
            assertThat(grant.isValid()).isTrue();
            grant.release();
        }
    }
}
