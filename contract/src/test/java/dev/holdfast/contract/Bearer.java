package dev.holdfast.contract;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;

/** Signs tokens for tests. */
final class Bearer {
    private static final String SECRET = "a secret of tests, which everybody may know";

    private Bearer() {}

    /** Has a node believe these tokens. */
    static Map<String, String> settings(Path directory) throws IOException {
        return Map.of(
                "auth.keys",
                Files.writeString(directory.resolve("secret"), SECRET).toString());
    }

    /** A token for somebody of a tenant, or of none, that is good for every key the tenant has. */
    static String token(String name, String tenant, String verb, Duration left) {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .subject(name)
                .audience("holdfast")
                .expirationTime(Date.from(Instant.now().plus(left)))
                .claim("permissions", List.of(Map.of("prefix", "", "verbs", List.of(verb))));
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
}
