package dev.holdfast.server.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.holdfast.core.LockKey;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.server.access.Principal;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.settings.AuthSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens that must be believed, and the ones that must not. */
class TokensTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static OctetSequenceKey secret;
    private static OctetSequenceKey strangeSecret;
    private static RSAKey rsa;
    private static RSAKey strangeRsa;
    private static ECKey curve;

    private static final String HEADER = "{\"alg\":\"HS256\",\"kid\":\"s\"}";

    @TempDir
    Path directory;

    private Tokens tokens;

    @BeforeAll
    static void keys() throws JOSEException {
        secret = new OctetSequenceKeyGenerator(256).keyID("s").generate();
        strangeSecret = new OctetSequenceKeyGenerator(256).keyID("s").generate();
        rsa = new RSAKeyGenerator(2048).keyID("r").generate();
        strangeRsa = new RSAKeyGenerator(2048).keyID("r").generate();
        curve = new ECKeyGenerator(Curve.P_256).keyID("e").generate();
    }

    @BeforeEach
    void tokens() throws IOException {
        tokens = tokens(new JWKSet(List.<JWK>of(secret, rsa.toPublicJWK(), curve.toPublicJWK())).toString(false));
    }

    private Tokens tokens(String file) throws IOException {
        Path keys = Files.writeString(directory.resolve("keys"), file);
        return new Tokens(
                new AuthSettings(keys, "holdfast", Optional.of("https://issuer")), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .subject("ann")
                .issuer("https://issuer")
                .audience("holdfast")
                .issueTime(Date.from(NOW))
                .expirationTime(Date.from(NOW.plusSeconds(600)))
                .claim("tenant", "acme")
                .claim("permissions", List.of(Map.of("prefix", "acme/", "verbs", List.of("read", "lock"))));
    }

    private static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) {
        try {
            SignedJWT token = new SignedJWT(header, claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static JWSHeader.Builder header(JWSAlgorithm algorithm, String key) {
        return new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT).keyID(key);
    }

    private static String hs256(JWTClaimsSet.Builder claims) {
        return signed(header(JWSAlgorithm.HS256, "s").build(), claims.build(), macOf(secret));
    }

    private static String hs256With(UnaryOperator<JWSHeader.Builder> more) {
        return signed(more.apply(header(JWSAlgorithm.HS256, "s")).build(), claims().build(), macOf(secret));
    }

    private static JWSSigner macOf(OctetSequenceKey key) {
        try {
            return new MACSigner(key);
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static String raw(String header, String claims, String signature) {
        return Base64URL.encode(header) + "." + Base64URL.encode(claims) + "." + signature;
    }

    /** With a good signature over whatever this is. */
    private static String macOver(String header, String claims) throws JOSEException {
        String signed = Base64URL.encode(header) + "." + Base64URL.encode(claims);
        return signed + "."
                + new MACSigner(secret)
                        .sign(header(JWSAlgorithm.HS256, "s").build(), signed.getBytes(StandardCharsets.US_ASCII));
    }

    private Code refusal(String authorization) {
        Rejected rejected = catchThrowableOfType(Rejected.class, () -> tokens.authenticate(authorization));
        return rejected == null ? Code.OK : rejected.rejection().code().wire();
    }

    static Stream<Arguments> good() throws JOSEException {
        return Stream.of(
                Arguments.of("HS256", hs256(claims())),
                Arguments.of(
                        "RS256",
                        signed(header(JWSAlgorithm.RS256, "r").build(), claims().build(), new RSASSASigner(rsa))),
                Arguments.of(
                        "ES256",
                        signed(header(JWSAlgorithm.ES256, "e").build(), claims().build(), new ECDSASigner(curve))),
                Arguments.of("no typ", hs256With(header -> header.type(null))),
                Arguments.of("typ at+jwt", hs256With(header -> header.type(new JOSEObjectType("at+jwt")))),
                Arguments.of("several audiences", hs256(claims().audience(List.of("other", "holdfast")))),
                Arguments.of(
                        "expired within the skew", hs256(claims().expirationTime(Date.from(NOW.minusSeconds(29))))),
                Arguments.of(
                        "not yet valid within the skew", hs256(claims().notBeforeTime(Date.from(NOW.plusSeconds(29))))),
                Arguments.of("more claims than are known", hs256(claims().claim("email", "a@b"))),
                Arguments.of(
                        "put together by hand", macOver(HEADER, claims().build().toString())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void a_token_that_a_known_key_signed_is_believed(String what, String token) {
        Principal principal = tokens.authenticate("Bearer " + token);
        assertThat(principal.id()).isEqualTo("acme/ann");
        assertThat(principal.may(Verb.LOCK, LockKey.of("acme/x"))).isTrue();
        assertThat(principal.may(Verb.ADMIN, LockKey.of("acme/x"))).isFalse();
    }

    static Stream<Arguments> bad() throws JOSEException {
        String good = hs256(claims());
        List<String> parts = List.of(good.split("\\.", -1));
        JWTClaimsSet claims = claims().build();
        List<Arguments> all = new ArrayList<>();
        all.add(Arguments.of("alg none", new PlainJWT(claims).serialize()));
        all.add(Arguments.of("alg none with a signature", raw("{\"alg\":\"none\"}", claims.toString(), parts.get(2))));
        all.add(Arguments.of("alg None", raw("{\"alg\":\"None\"}", claims.toString(), "")));
        all.add(Arguments.of("no alg", raw("{\"typ\":\"JWT\"}", claims.toString(), parts.get(2))));
        all.add(Arguments.of("signature cut off", parts.get(0) + "." + parts.get(1) + "."));
        all.add(Arguments.of("no signature", parts.get(0) + "." + parts.get(1)));
        all.add(Arguments.of(
                "claims changed",
                parts.get(0) + "."
                        + Base64URL.encode(claims().subject("root").build().toString()) + "." + parts.get(2)));
        all.add(Arguments.of("signature of another", parts.get(0) + "." + parts.get(1) + "." + "A".repeat(43)));
        all.add(Arguments.of(
                "a strange secret", signed(header(JWSAlgorithm.HS256, "s").build(), claims, macOf(strangeSecret))));
        all.add(Arguments.of(
                "a strange RSA key",
                signed(header(JWSAlgorithm.RS256, "r").build(), claims, new RSASSASigner(strangeRsa))));
        all.add(Arguments.of(
                "key confusion: the public key as a secret, PEM",
                signed(
                        header(JWSAlgorithm.HS256, "r").build(),
                        claims,
                        new MACSigner(Base64.getMimeEncoder()
                                .encode(rsa.toRSAPublicKey().getEncoded())))));
        all.add(Arguments.of(
                "key confusion: the public key as a secret, DER",
                signed(
                        header(JWSAlgorithm.HS256, "r").build(),
                        claims,
                        new MACSigner(rsa.toRSAPublicKey().getEncoded()))));
        all.add(Arguments.of(
                "another algorithm of the same key (RS512)",
                signed(header(JWSAlgorithm.RS512, "r").build(), claims, new RSASSASigner(rsa))));
        all.add(Arguments.of(
                "another algorithm of the same key (PS256)",
                signed(header(JWSAlgorithm.PS256, "r").build(), claims, new RSASSASigner(rsa))));
        all.add(Arguments.of("no kid where there are several keys", hs256With(header -> header.keyID(null))));
        all.add(Arguments.of("unknown kid", hs256With(header -> header.keyID("x"))));
        all.add(Arguments.of("kid that looks like a path", hs256With(header -> header.keyID("../../dev/null"))));
        all.add(Arguments.of("jku", hs256With(header -> header.jwkURL(URI.create("http://127.0.0.1/keys")))));
        all.add(Arguments.of("x5u", hs256With(header -> header.x509CertURL(URI.create("http://127.0.0.1/c")))));
        all.add(Arguments.of(
                "embedded jwk",
                signed(
                        header(JWSAlgorithm.RS256, "r")
                                .jwk(strangeRsa.toPublicJWK())
                                .build(),
                        claims,
                        new RSASSASigner(strangeRsa))));
        all.add(Arguments.of(
                "x5c",
                hs256With(header ->
                        header.x509CertChain(List.of(com.nimbusds.jose.util.Base64.encode("no certificate at all"))))));
        all.add(Arguments.of(
                "key confusion: the public point as a secret",
                signed(
                        header(JWSAlgorithm.HS256, "e").build(),
                        claims,
                        new MACSigner(curve.toECPublicKey().getEncoded()))));
        all.add(Arguments.of(
                "a signature of zeros", raw("{\"alg\":\"ES256\",\"kid\":\"e\"}", claims.toString(), "A".repeat(86))));
        all.add(Arguments.of("alg in small letters", macOver("{\"alg\":\"hs256\",\"kid\":\"s\"}", claims.toString())));
        all.add(Arguments.of(
                "exp that is a text",
                macOver(HEADER, claims.toString().replaceFirst("\"exp\":\\d+", "\"exp\":\"never\""))));
        all.add(Arguments.of(
                "nbf that is a text", macOver(HEADER, claims.toString().replaceFirst("\\{", "{\"nbf\":\"now\","))));
        all.add(Arguments.of("claims that are a list", macOver(HEADER, "[" + claims + "]")));
        all.add(Arguments.of(
                "crit", hs256With(header -> header.criticalParams(Set.of("exp")).customParam("exp", 1))));
        all.add(Arguments.of(
                "unencoded payload",
                raw("{\"alg\":\"HS256\",\"kid\":\"s\",\"b64\":false,\"crit\":[\"b64\"]}", "{}", parts.get(2))));
        all.add(Arguments.of(
                "typ of something else", hs256With(header -> header.type(new JOSEObjectType("logout+jwt")))));
        all.add(Arguments.of("no exp", hs256(claims().expirationTime(null))));
        all.add(Arguments.of("expired", hs256(claims().expirationTime(Date.from(NOW.minusSeconds(30))))));
        all.add(Arguments.of("not valid yet", hs256(claims().notBeforeTime(Date.from(NOW.plusSeconds(31))))));
        all.add(Arguments.of("issued in the future", hs256(claims().issueTime(Date.from(NOW.plusSeconds(31))))));
        all.add(Arguments.of("foreign audience", hs256(claims().audience("billing"))));
        all.add(Arguments.of("no audience", hs256(claims().audience((String) null))));
        all.add(Arguments.of("foreign issuer", hs256(claims().issuer("https://other"))));
        all.add(Arguments.of("no issuer", hs256(claims().issuer(null))));
        all.add(Arguments.of("no sub", hs256(claims().subject(null))));
        all.add(Arguments.of("sub with a line break", hs256(claims().subject("ann\nroot"))));
        all.add(Arguments.of("tenant with a slash", hs256(claims().claim("tenant", "acme/x"))));
        all.add(Arguments.of("empty tenant", hs256(claims().claim("tenant", ""))));
        all.add(Arguments.of("tenant that is no text", hs256(claims().claim("tenant", List.of("acme")))));
        all.add(Arguments.of("permissions that are a text", hs256(claims().claim("permissions", "admin"))));
        all.add(Arguments.of("unknown verb", hs256(claims().claim("permissions", permission("prefix", "", "root")))));
        all.add(Arguments.of(
                "unknown field of a permission", hs256(claims().claim("permissions", permission("key", "", "read")))));
        all.add(Arguments.of("too long", hs256(claims().claim("more", "x".repeat(9_000)))));
        all.add(Arguments.of("encrypted", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AAAA.AAAA.AAAA"));
        all.add(Arguments.of("nothing", ""));
        all.add(Arguments.of("dots", ".."));
        all.add(Arguments.of("not base64", "a b.c d.e f"));
        all.add(Arguments.of("no JSON", raw("alg", "claims", parts.get(2))));
        return all.stream();
    }

    private static List<Map<String, Object>> permission(String field, String prefix, String verb) {
        return List.of(Map.of(field, prefix, "verbs", List.of(verb)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void any_other_token_is_refused_and_not_repeated(String what, String token) {
        assertThat(refusal("Bearer " + token)).isEqualTo(Code.UNAUTHENTICATED);
        if (token.length() > 4) {
            assertThatThrownBy(() -> tokens.authenticate("Bearer " + token))
                    .hasMessageNotContaining(token)
                    .hasNoCause();
        }
    }

    @ParameterizedTest
    @MethodSource("headers")
    void only_a_bearer_token_in_the_header_counts(String authorization) {
        assertThat(refusal(authorization)).isEqualTo(Code.UNAUTHENTICATED);
    }

    static Stream<String> headers() {
        return Stream.of("", "Bearer", "Basic YTpi", hs256(claims()), "Token " + hs256(claims()));
    }

    @Test
    void without_a_header_nobody_is_known() {
        assertThatThrownBy(() -> tokens.authenticate(null)).hasMessageContaining("no token was sent");
    }

    @Test
    void a_believed_token_is_forgotten_with_the_key_that_signed_it() throws IOException {
        String token = "Bearer " + hs256(claims());
        assertThat(refusal(token)).isEqualTo(Code.OK);
        Files.writeString(tokens.files().get(0), new JWKSet(strangeSecret).toString(false));
        tokens.reload();
        assertThat(refusal(token)).isEqualTo(Code.UNAUTHENTICATED);
    }

    @Test
    void a_file_that_cannot_be_used_changes_nothing() throws IOException {
        String token = "Bearer " + hs256(claims());
        Files.writeString(tokens.files().get(0), "{\"keys\": [");
        assertThatThrownBy(tokens::reload)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(tokens.files().get(0).toString());
        assertThat(refusal(token)).isEqualTo(Code.OK);
    }

    @Test
    void a_file_with_a_secret_alone_is_enough() throws Exception {
        String text = "correct horse battery staple 0123456789";
        tokens = tokens(text + "\n");
        JWSSigner signer = new MACSigner(text.getBytes(StandardCharsets.UTF_8));
        assertThat(refusal("Bearer " + signed(new JWSHeader(JWSAlgorithm.HS256), claims().build(), signer)))
                .isEqualTo(Code.OK);
    }

    @Test
    void a_public_key_alone_is_enough_and_is_never_taken_for_a_secret() throws Exception {
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(rsa.toRSAPublicKey().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        tokens = tokens(pem);
        assertThat(refusal(
                        "Bearer " + signed(new JWSHeader(JWSAlgorithm.RS256), claims().build(), new RSASSASigner(rsa))))
                .isEqualTo(Code.OK);
        JWSSigner confused = new MACSigner(pem.strip().getBytes(StandardCharsets.UTF_8));
        assertThat(refusal("Bearer " + signed(new JWSHeader(JWSAlgorithm.HS256), claims().build(), confused)))
                .isEqualTo(Code.UNAUTHENTICATED);
    }

    static Stream<Arguments> unusable() throws JOSEException {
        return Stream.of(
                Arguments.of("too short", "at least 256 bits"),
                Arguments.of("{}", "not a JWK set"),
                Arguments.of("{\"keys\":[]}", "no key"),
                Arguments.of("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "PUBLIC KEY"),
                Arguments.of("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "RSA or a P-256"),
                Arguments.of("-----BEGIN PUBLIC KEY-----\n", "one key in PEM form"),
                Arguments.of(new JWKSet(rsa).toString(false), "private key"),
                Arguments.of(new JWKSet(new RSAKeyGenerator(2048).generate().toPublicJWK()).toString(false), "no kid"),
                Arguments.of("{\"keys\":[" + secret.toJSONString() + "," + secret.toJSONString() + "]}", "there twice"),
                Arguments.of(
                        new JWKSet(new ECKeyGenerator(Curve.P_384)
                                        .keyID("x")
                                        .generate()
                                        .toPublicJWK())
                                .toString(false),
                        "P-256"),
                Arguments.of(
                        new JWKSet(new RSAKey.Builder(rsa.toPublicJWK())
                                        .algorithm(JWSAlgorithm.RS512)
                                        .build())
                                .toString(false),
                        "alg must be RS256"));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void keys_that_no_token_should_be_checked_by_are_refused(String file, String why) {
        assertThatThrownBy(() -> tokens(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why)
                .hasMessageContaining(directory.toString());
    }
}
