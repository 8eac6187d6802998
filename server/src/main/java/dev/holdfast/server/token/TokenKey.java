package dev.holdfast.server.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import java.io.IOException;
import java.util.Optional;

/**
 * One key that signs tokens, and the one algorithm it does so by: a token that names another is refused, whatever its
 * signature. Else a public key could be taken for a secret that everybody knows.
 *
 * @param id what a token calls it by, if it has a name
 */
record TokenKey(Optional<String> id, JWSAlgorithm algorithm, JWSVerifier verifier) {
    private static final int SECRET_BITS = 256;
    private static final int RSA_BITS = 2_048;

    static TokenKey of(JWK key) throws IOException {
        Optional<String> id = Optional.ofNullable(key.getKeyID());
        String name = "key " + id.map(text -> '"' + text + '"').orElse("without a kid");
        if (key.getKeyUse() != null && !key.getKeyUse().equals(KeyUse.SIGNATURE)) {
            throw new IOException(name + ": use must be sig, is " + key.getKeyUse());
        }
        try {
            if (key instanceof OctetSequenceKey secret) {
                requireSize(name, secret.size(), SECRET_BITS);
                return checked(name, key, new TokenKey(id, JWSAlgorithm.HS256, new MACVerifier(secret.toByteArray())));
            } else if (key instanceof RSAKey rsa) {
                requirePublic(name, rsa);
                requireSize(name, rsa.size(), RSA_BITS);
                return checked(
                        name, key, new TokenKey(id, JWSAlgorithm.RS256, new RSASSAVerifier(rsa.toRSAPublicKey())));
            } else if (key instanceof ECKey curve && Curve.P_256.equals(curve.getCurve())) {
                requirePublic(name, curve);
                return checked(
                        name, key, new TokenKey(id, JWSAlgorithm.ES256, new ECDSAVerifier(curve.toECPublicKey())));
            }
        } catch (JOSEException e) {
            throw new IOException(name + ": cannot be used: " + e.getMessage(), e);
        }
        throw new IOException(
                name + ": must be a secret (HS256), an RSA key (RS256) or a P-256 key (ES256), is " + key.getKeyType());
    }

    /** A node only checks: it should not hold what could sign. */
    private static void requirePublic(String name, JWK key) throws IOException {
        if (key.isPrivate()) {
            throw new IOException(name + ": is a private key; give its public half, which is all a node needs");
        }
    }

    private static void requireSize(String name, int bits, int fewest) throws IOException {
        if (bits < fewest) {
            throw new IOException(name + ": must have at least " + fewest + " bits, has " + bits);
        }
    }

    private static TokenKey checked(String name, JWK key, TokenKey made) throws IOException {
        if (key.getAlgorithm() != null
                && !key.getAlgorithm().getName().equals(made.algorithm().getName())) {
            throw new IOException(
                    name + ": alg must be " + made.algorithm() + " for such a key, is " + key.getAlgorithm());
        }
        return made;
    }
}
