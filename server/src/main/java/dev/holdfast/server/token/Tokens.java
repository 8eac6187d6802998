package dev.holdfast.server.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.access.Principal;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.settings.AuthSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows callers by JSON web tokens that a key of the file signed.
 *
 * <p>A token that was found good is remembered until it expires or the keys change: checking a signature takes longer
 * than most calls do.
 */
public final class Tokens implements Gate.Authenticator {
    /** How far the clocks of whoever signs and of this node may be apart. */
    public static final Duration SKEW = Duration.ofSeconds(30);

    private static final String SCHEME = "Bearer ";
    private static final int MAX_CHARACTERS = 8 * 1024;
    private static final int MAX_REMEMBERED = 10_000;
    /** What a header may say; whatever else could change what the signature means, such as a key of its own. */
    private static final Set<String> PARAMETERS = Set.of("alg", "typ", "kid", "x5t", "x5t#S256");

    private static final Set<String> TYPES = Set.of("JWT", "at+jwt");

    private final AuthSettings settings;
    private final Clock clock;
    private volatile Known known;

    /** Keys, and the tokens that were checked by them. */
    private record Known(TokenKeys keys, ConcurrentHashMap<String, Principal> good) {}

    /**
     * Reads the keys.
     *
     * @throws IOException that names the file and what is wrong with it
     */
    public Tokens(AuthSettings settings, Clock clock) throws IOException {
        this.settings = settings;
        this.clock = clock;
        this.known = read();
    }

    private Known read() throws IOException {
        return new Known(TokenKeys.read(settings.keys()), new ConcurrentHashMap<>());
    }

    /** Reads the keys again; a file that is not sound changes nothing. */
    public void reload() throws IOException {
        known = read();
    }

    /** What {@link #reload} reads. */
    public List<Path> files() {
        return List.of(settings.keys());
    }

    @Override
    public Principal authenticate(@Nullable String authorization) {
        if (authorization == null) {
            throw refused("no token was sent: give the header authorization: Bearer TOKEN");
        }
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw refused("the header authorization must be Bearer TOKEN");
        }
        String token = authorization.substring(SCHEME.length()).strip();
        Known now = known;
        Principal remembered = now.good().get(token);
        if (remembered != null && clock.millis() < remembered.knownUntilMillis()) {
            return remembered;
        }
        try {
            Principal principal = check(token, now.keys());
            if (now.good().size() >= MAX_REMEMBERED) {
                now.good().clear(); // rare, and costs one check each
            }
            now.good().put(token, principal);
            return principal;
        } catch (UnfitToken e) {
            now.good().remove(token);
            throw refused("the token is not accepted: " + e.getMessage());
        }
    }

    private Principal check(String token, TokenKeys keys) throws UnfitToken {
        if (token.length() > MAX_CHARACTERS) {
            throw new UnfitToken("it is longer than " + MAX_CHARACTERS + " characters");
        }
        SignedJWT parsed;
        try {
            parsed = SignedJWT.parse(token);
        } catch (ParseException | RuntimeException e) {
            throw new UnfitToken("it is not a signed JSON web token");
        }
        checkSignature(parsed, keys);
        JWTClaimsSet claims;
        try {
            claims = parsed.getJWTClaimsSet();
        } catch (ParseException | RuntimeException e) {
            throw new UnfitToken("its claims cannot be read");
        }
        return Claims.principal(claims, checkClaims(claims));
    }

    private static void checkSignature(SignedJWT token, TokenKeys keys) throws UnfitToken {
        JWSHeader header = token.getHeader();
        if (!PARAMETERS.containsAll(header.toJSONObject().keySet())) {
            throw new UnfitToken("its header may have alg, typ and kid only");
        }
        if (header.getType() != null && !TYPES.contains(header.getType().getType())) {
            throw new UnfitToken("its typ must be JWT");
        }
        String id = header.getKeyID() == null ? "" : header.getKeyID();
        TokenKey key = keys.find(id, header.getAlgorithm())
                .orElseThrow(() -> new UnfitToken("no key here has its kid and its alg"));
        try {
            if (!token.verify(key.verifier())) {
                throw new UnfitToken("its signature is wrong");
            }
        } catch (JOSEException | RuntimeException e) {
            throw new UnfitToken("its signature cannot be checked");
        }
    }

    /** Until when it is good. */
    private long checkClaims(JWTClaimsSet claims) throws UnfitToken {
        Instant now = clock.instant();
        Date expires = claims.getExpirationTime();
        if (expires == null) {
            throw new UnfitToken("it has no exp: a token that never expires cannot be revoked");
        }
        Instant end = expires.toInstant().plus(SKEW);
        if (!now.isBefore(end)) {
            throw new UnfitToken("it has expired");
        }
        Instant latest = now.plus(SKEW);
        if (isAfter(claims.getNotBeforeTime(), latest) || isAfter(claims.getIssueTime(), latest)) {
            throw new UnfitToken("it is not valid yet");
        }
        if (!claims.getAudience().contains(settings.audience())) {
            throw new UnfitToken("its aud does not have " + settings.audience());
        }
        if (settings.issuer().isPresent() && !settings.issuer().get().equals(claims.getIssuer())) {
            throw new UnfitToken("its iss is not " + settings.issuer().get());
        }
        return end.toEpochMilli();
    }

    private static boolean isAfter(@Nullable Date time, Instant latest) {
        return time != null && time.toInstant().isAfter(latest);
    }

    private static Rejected refused(String why) {
        return Rejection.of(ErrorCode.UNAUTHENTICATED, "authorization", why).toException();
    }

    /** A token proves nothing; the message says why, without a word of the token. */
    static final class UnfitToken extends Exception {
        private static final long serialVersionUID = 1L;

        UnfitToken(String why) {
            super(why, null, false, false); // an answer, not a defect: nobody reads its stack
        }
    }
}
