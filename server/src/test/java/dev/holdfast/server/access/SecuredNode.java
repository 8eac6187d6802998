package dev.holdfast.server.access;

import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.server.Node;
import dev.holdfast.server.settings.source.SettingsReader;
import dev.holdfast.testports.TestPorts;
import io.grpc.stub.AbstractStub;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A node that asks its callers for a token, and whoever signs them. */
public final class SecuredNode implements AutoCloseable {
    private static final String SECRET = "a secret of tests, which everybody may know";

    public final int port = TestPorts.next();
    private final Node node;

    public SecuredNode(Path directory, Map<String, String> more) throws IOException, InterruptedException {
        Map<String, String> flags = new HashMap<>(Map.of(
                "node.name",
                "n1",
                "data.dir",
                directory.resolve("n1").toString(),
                "client.address",
                "127.0.0.1:" + port,
                "peer.address",
                "127.0.0.1:" + TestPorts.next(),
                "auth.keys",
                Files.writeString(Files.createDirectories(directory).resolve("secret"), SECRET)
                        .toString()));
        flags.putAll(more);
        node = new Node(SettingsReader.read(Optional.empty(), Map.of(), flags), (message, cause) -> {
            throw new AssertionError(message, cause);
        });
        node.start();
        await().atMost(Duration.ofSeconds(30)).until(node::isReady);
    }

    /** A token for somebody of a tenant, or of none, with all verbs up to this one on the keys that begin so. */
    public static String token(String name, String tenant, String prefix, Verb verb, Duration left) {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .subject(name)
                .audience("holdfast")
                .expirationTime(Date.from(Instant.now().plus(left)))
                .claim(
                        "permissions",
                        List.of(Map.of(
                                "prefix", prefix, "verbs", List.of(verb.name().toLowerCase(Locale.ROOT)))));
        if (!tenant.isEmpty()) {
            claims.claim("tenant", tenant);
        }
        try {
            SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims.build());
            token.sign(new MACSigner(SECRET.getBytes(StandardCharsets.UTF_8)));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    public static String token(String name, String tenant, Verb verb) {
        return token(name, tenant, "", verb, Duration.ofMinutes(10));
    }

    /** The lock service as the bearer of a token calls it; empty for no token. */
    LockServiceBlockingStub locks(String token) {
        return client(LockServiceBlockingStub.class, token);
    }

    <S extends AbstractStub<S>> S client(Class<S> stub, String token) {
        return client(stub, token, ClientFactory.ofDefault());
    }

    <S extends AbstractStub<S>> S client(Class<S> stub, String token, ClientFactory factory) {
        return GrpcClients.builder("gproto+http://127.0.0.1:" + port + "/")
                .factory(factory)
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .decorator((delegate, context, request) -> {
                    if (!token.isEmpty()) {
                        context.setAdditionalRequestHeader(HttpHeaderNames.AUTHORIZATION, "Bearer " + token);
                    }
                    return delegate.execute(context, request);
                })
                .build(stub);
    }

    @Override
    public void close() {
        node.close();
    }
}
