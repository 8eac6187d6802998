package dev.holdfast.server.token;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a public key, or the one of a certificate, from its PEM form. */
final class PublicKeys {
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----", Pattern.DOTALL);

    private PublicKeys() {}

    static PublicKey parse(String text) throws IOException {
        Matcher matcher = PEM.matcher(text);
        if (!matcher.matches()) {
            throw new IOException("must be one key in PEM form");
        }
        return switch (matcher.group(1)) {
            case "PUBLIC KEY" -> ofBytes(Base64.getMimeDecoder().decode(matcher.group(2)));
            case "CERTIFICATE" -> ofCertificate(text);
            default ->
                throw new IOException(
                        "must be a PUBLIC KEY or a CERTIFICATE, which is all a node needs, is " + matcher.group(1));
        };
    }

    private static PublicKey ofBytes(byte[] encoded) throws IOException {
        X509EncodedKeySpec spec = new X509EncodedKeySpec(encoded);
        try {
            return KeyFactory.getInstance("RSA").generatePublic(spec);
        } catch (GeneralSecurityException noRsaKey) {
            try {
                return KeyFactory.getInstance("EC").generatePublic(spec);
            } catch (GeneralSecurityException e) {
                throw new IOException("must be an RSA or a P-256 key", e);
            }
        }
    }

    private static PublicKey ofCertificate(String text) throws IOException {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)))
                    .getPublicKey();
        } catch (GeneralSecurityException e) {
            throw new IOException("must be a certificate: " + e.getMessage(), e);
        }
    }
}
