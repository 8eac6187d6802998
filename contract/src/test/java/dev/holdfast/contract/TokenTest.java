package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.holdfast.client.Grant;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.RefusedException;
import dev.holdfast.server.Node;
import dev.holdfast.server.settings.NodeSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client and a node that asks who it is. */
@Timeout(120)
class TokenTest {
    private static final String SECRET = "a secret of tests, which everybody may know";
    private static final Duration LONG = Duration.ofMinutes(10);
    /** Past its time, and good for a few seconds of the skew that is allowed. */
    private static final Duration BRIEF = Duration.ofSeconds(-26);

    @TempDir
    static Path root;

    private static int port;
    private static Node node;

    @BeforeAll
    static void start() throws Exception {
        port = freePort();
        Map<String, String> flags = Map.of(
                "node.name",
                "n1",
                "data.dir",
                root.resolve("n1").toString(),
                "client.address",
                "127.0.0.1:" + port,
                "peer.address",
                "127.0.0.1:" + freePort(),
                "auth.keys",
                Files.writeString(root.resolve("secret"), SECRET).toString());
        node = new Node(NodeSettings.read(Optional.empty(), Map.of(), flags), (message, cause) -> {
            throw new AssertionError(message, cause);
        });
        node.start();
        await().atMost(Duration.ofSeconds(60)).until(node::isReady);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String token(Duration left) {
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .subject("ann")
                .audience("holdfast")
                .expirationTime(Date.from(Instant.now().plus(left)))
                .claim("tenant", "acme")
                .claim("permissions", List.of(Map.of("prefix", "", "verbs", List.of("lock"))))
                .build();
        try {
            SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
            token.sign(new MACSigner(SECRET.getBytes(StandardCharsets.UTF_8)));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_client_locks_what_its_token_allows_and_nothing_else() throws Exception {
        try (HoldfastClient client =
                HoldfastClient.builder("127.0.0.1:" + port).token(token(LONG)).connect()) {
            assertThatThrownBy(() -> client.lock("other/k").acquire())
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("acme/ann may not lock key other/k");
            try (Grant grant = client.lock("acme/k").acquire()) {
                assertThat(grant.isValid()).isTrue();
            }
        }
    }

    @Test
    void a_client_comes_back_with_a_new_token_when_the_old_one_expires_and_has_kept_its_lock() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (HoldfastClient client = HoldfastClient.builder("127.0.0.1:" + port)
                .sessionTtl(Duration.ofSeconds(30))
                .token(() -> token(asked.getAndIncrement() == 0 ? BRIEF : LONG))
                .connect()) {
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
