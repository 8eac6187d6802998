package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.HoldfastClientBuilder;
import dev.holdfast.client.RetryPolicy;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.RefusedException;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks of a node that encrypts, knows its clients' certificates and asks for tokens. */
class SecureContractTest extends LockContract {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String NOBODYS_KEY = "secure";

    @TempDir
    static Path root;

    private static SelfSigned node;
    private static SelfSigned client;
    private static SelfSigned stranger;
    private static LocalCluster cluster;
    private static Operator operator;

    @BeforeAll
    static void start() throws Exception {
        node = SelfSigned.make(root, "node");
        client = SelfSigned.make(root, "client");
        stranger = SelfSigned.make(root, "stranger");
        Map<String, String> settings = new HashMap<>(Bearer.settings(root));
        settings.put("tls.certificate", node.certificate().toString());
        settings.put("tls.key", node.key().toString());
        settings.put("tls.client.ca", client.certificate().toString());
        cluster = LocalCluster.start(root, 1, settings);
        operator = new Operator(channel());
    }

    @AfterAll
    static void stop() {
        operator.close();
        cluster.close();
    }

    private static ManagedChannel channel() throws Exception {
        Metadata token = new Metadata();
        token.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + Bearer.token("ops", "", "admin", LONG));
        return NettyChannelBuilder.forTarget(cluster.endpoints())
                .sslContext(GrpcSslContexts.forClient()
                        .trustManager(node.certificate().toFile())
                        .keyManager(client.certificate().toFile(), client.key().toFile())
                        .build())
                .intercept(MetadataUtils.newAttachHeadersInterceptor(token))
                .build();
    }

    private static HoldfastClientBuilder trusting() {
        return impatient().tls(node.certificate(), client.certificate(), client.key());
    }

    private static HoldfastClientBuilder impatient() {
        return HoldfastClient.builder(cluster.endpoints()).retry(RetryPolicy.DEFAULT.patience(Duration.ofSeconds(2)));
    }

    @Override
    protected Reach reach() {
        return new Reach() {
            @Override
            public HoldfastClient client(Duration ttl) {
                return HoldfastClient.builder(cluster.endpoints())
                        .tls(node.certificate(), client.certificate(), client.key())
                        .token(Bearer.token("ann", "", "lock", LONG))
                        .sessionTtl(ttl)
                        .build();
            }

            @Override
            public Operator operator() {
                return operator;
            }
        };
    }

    private static void refused(HoldfastClientBuilder builder) {
        try (HoldfastClient asking =
                builder.token(Bearer.token("ann", "", "lock", LONG)).build()) {
            assertThatThrownBy(() -> asking.lock(NOBODYS_KEY).acquire()).isInstanceOf(HoldfastException.class);
        }
        assertThat(operator.locks(NOBODYS_KEY)).isEmpty();
    }

    @Test
    void nothing_is_served_in_the_clear() {
        refused(impatient());
    }

    @Test
    void a_client_does_not_speak_to_a_node_it_does_not_trust() {
        refused(impatient().tls(stranger.certificate(), client.certificate(), client.key()));
    }

    @Test
    void a_client_without_the_certificate_that_is_asked_for_is_not_heard() {
        refused(impatient().tls(node.certificate()));
        refused(impatient().tls(node.certificate(), stranger.certificate(), stranger.key()));
    }

    @Test
    void a_certificate_does_not_stand_in_for_a_token() {
        try (HoldfastClient nobody = trusting().build()) {
            assertThatThrownBy(() -> nobody.lock(NOBODYS_KEY).acquire())
                    .isInstanceOf(HoldfastException.class)
                    .hasMessageContaining("UNAUTHENTICATED");
        }
    }

    @Test
    void a_tenant_has_its_own_keys_alone() throws Exception {
        try (HoldfastClient tenant =
                trusting().token(Bearer.token("ann", "acme", "lock", LONG)).build()) {
            assertThatThrownBy(() -> tenant.lock(NOBODYS_KEY).acquire())
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("PERMISSION_DENIED");
            try (Grant grant = tenant.lock("acme/k").acquire()) {
                assertThat(grant.isValid()).isTrue();
            }
        }
    }
}
