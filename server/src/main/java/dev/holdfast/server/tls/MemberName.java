package dev.holdfast.server.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * The mark that makes a certificate a member's: the alternative name {@code holdfast://member/NAME}.
 *
 * <p>Not the common name or a host's: an authority may give those to anybody who asks for them.
 */
public final class MemberName {
    private static final int URI = 6;
    private static final String PREFIX = "holdfast://member/";

    private MemberName() {}

    /** Whose certificate it is, if it is one member's. */
    public static Optional<String> of(X509Certificate certificate) {
        try {
            var names = certificate.getSubjectAlternativeNames();
            if (names == null) {
                return Optional.empty();
            }
            List<String> members = names.stream()
                    .filter(name -> name.get(0).equals(URI))
                    .map(name -> String.valueOf(name.get(1)))
                    .filter(uri -> uri.startsWith(PREFIX))
                    .map(uri -> uri.substring(PREFIX.length()))
                    .toList();
            return members.size() == 1 ? Optional.of(members.get(0)) : Optional.empty();
        } catch (CertificateParsingException e) {
            return Optional.empty();
        }
    }

    /** What a certificate must carry to be this member's. */
    static String uri(String name) {
        return PREFIX + name;
    }
}
