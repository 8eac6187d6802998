package dev.holdfast.server.token;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The keys that tokens may be signed by, as one file names them: a JWK set, a public key or certificate in PEM form, or
 * else a secret, which is all the bytes of the file without the white space around them.
 */
final class TokenKeys {
    private static final long MAX_BYTES = 1024L * 1024;

    private final List<TokenKey> keys;

    private TokenKeys(List<TokenKey> keys) {
        this.keys = List.copyOf(keys);
    }

    static TokenKeys read(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException(file + ": does not exist or cannot be read");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + ": must be at most " + MAX_BYTES + " bytes");
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).strip();
        try {
            return new TokenKeys(text.startsWith("{") ? set(text) : List.of(TokenKey.of(single(text))));
        } catch (ParseException e) {
            // Not what the library says: it may quote the file.
            throw new IOException(file + ": is not a JWK set", e);
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private static List<TokenKey> set(String text) throws IOException, ParseException {
        List<TokenKey> found = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JWK key : JWKSet.parse(text).getKeys()) {
            if (key.getKeyID() == null) {
                throw new IOException("a key has no kid; in a set each needs one");
            }
            if (!names.add(key.getKeyID())) {
                throw new IOException("key \"" + key.getKeyID() + "\" is there twice");
            }
            found.add(TokenKey.of(key));
        }
        if (found.isEmpty()) {
            throw new IOException("the set has no key");
        }
        return found;
    }

    private static JWK single(String text) throws IOException {
        if (!text.startsWith("-----BEGIN ")) {
            return new OctetSequenceKey.Builder(text.getBytes(StandardCharsets.ISO_8859_1)).build();
        }
        PublicKey key = PublicKeys.parse(text);
        if (key instanceof RSAPublicKey rsa) {
            return new RSAKey.Builder(rsa).build();
        } else if (key instanceof ECPublicKey curve) {
            return new ECKey.Builder(Curve.forECParameterSpec(curve.getParams()), curve).build();
        }
        throw new IOException("a key in PEM form must be an RSA or a P-256 key, is " + key.getAlgorithm());
    }

    /** The key a token names; without a name, the only one there is. It must be one for this algorithm. */
    Optional<TokenKey> find(String id, JWSAlgorithm algorithm) {
        return keys.stream()
                .filter(key -> id.isEmpty()
                        ? keys.size() == 1
                        : key.id().isEmpty() || key.id().get().equals(id))
                .filter(key -> key.algorithm().equals(algorithm))
                .findFirst();
    }
}
