package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.client.api.RefusedException;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that says who it is, over a line that nobody else can read. */
@Timeout(60)
class CredentialsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    Path root;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private volatile Status denial = Status.OK;
    private Path certificate;
    private Server server;

    @BeforeEach
    void start() throws Exception {
        KeyStore keys = keys();
        certificate =
                pem("certificate", "CERTIFICATE", keys.getCertificate("server").getEncoded());
        Path key = pem("key", "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sslContext(GrpcSslContexts.forServer(certificate.toFile(), key.toFile())
                        .build())
                .intercept(new Noting())
                .addService(new Locks())
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    private KeyStore keys() throws Exception {
        Path store = root.resolve("keys.p12");
        int code = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start()
                .waitFor();
        assertThat(code).isZero();
        return KeyStore.getInstance(store.toFile(), PASSWORD);
    }

    private Path pem(String name, String kind, byte[] bytes) throws IOException {
        return Files.writeString(
                root.resolve(name + ".pem"),
                "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + kind
                        + "-----\n");
    }

    private final class Noting implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            seen.add(String.valueOf(headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER))));
            if (!denial.isOk()) {
                call.close(denial, new Metadata());
                return new ServerCall.Listener<>() {};
            }
            return next.startCall(call, headers);
        }
    }

    private static final class Locks extends LockServiceGrpc.LockServiceImplBase {
        @Override
        public void get(GetRequest request, StreamObserver<GetResponse> out) {
            out.onNext(GetResponse.newBuilder()
                    .setLock(LockRecord.newBuilder().setKey(request.getName()))
                    .build());
            out.onCompleted();
        }
    }

    private HoldfastClientBuilder builder() {
        return HoldfastClient.builder("localhost:" + server.getPort());
    }

    @Test
    void calls_are_encrypted_and_carry_the_token() throws Exception {
        try (HoldfastClient client = builder().tls(certificate).token("secret").build()) {
            assertThat(client.get("a")).isPresent();
        }
        assertThat(seen).containsExactly("Bearer secret");
    }

    @Test
    void a_proxy_that_refuses_by_its_status_alone_is_taken_at_its_word() throws Exception {
        denial = Status.UNAUTHENTICATED.withDescription("who are you?");
        try (HoldfastClient client = builder().tls(certificate).token("wrong").build()) {
            assertThatThrownBy(() -> client.get("a")).isInstanceOfSatisfying(RefusedException.class, refused -> {
                assertThat(refused.code()).isEqualTo("UNAUTHENTICATED");
                assertThat(refused).hasMessageContaining("who are you?");
            });
            assertThatThrownBy(() -> client.lock("a").acquire())
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refused -> assertThat(refused.code()).isEqualTo("UNAUTHENTICATED"));
        }
        denial = Status.PERMISSION_DENIED;
        try (HoldfastClient client = builder().tls(certificate).token("wrong").build()) {
            assertThatThrownBy(() -> client.lock("a").acquire())
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refused -> assertThat(refused.code()).isEqualTo("PERMISSION_DENIED"));
        }
    }

    @Test
    @Tag("slow")
    void a_token_that_cannot_be_had_now_is_asked_for_again() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (HoldfastClient client = builder()
                .tls(certificate)
                .token(() -> {
                    if (asked.getAndIncrement() < 2) {
                        throw new IllegalStateException("the issuer does not answer");
                    }
                    return "late";
                })
                .build()) {
            assertThat(client.get("a")).isPresent();
        }
        assertThat(seen).containsExactly("Bearer late");
    }

    @Test
    @Tag("slow")
    void a_server_that_is_not_trusted_gets_nothing() throws Exception {
        Path other = Files.createDirectory(root.resolve("other"));
        Path mine = certificate;
        root = other;
        Path stranger = pem(
                "certificate", "CERTIFICATE", keys().getCertificate("server").getEncoded());
        assertThat(stranger).isNotEqualTo(mine);
        try (HoldfastClient client = builder()
                .tls(stranger)
                .token("secret")
                .retry(RetryPolicy.DEFAULT.patience(Duration.ofSeconds(2)))
                .build()) {
            assertThatThrownBy(() -> client.get("a")).isInstanceOf(UnavailableException.class);
        }
        assertThat(seen).isEmpty();
    }

    @Test
    void a_file_that_is_no_certificate_is_refused_at_once() throws Exception {
        Path nonsense = Files.writeString(root.resolve("nonsense"), "nonsense");
        assertThatThrownBy(() -> builder().tls(nonsense)).isInstanceOf(IllegalArgumentException.class);
    }
}
