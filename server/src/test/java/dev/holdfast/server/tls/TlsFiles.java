package dev.holdfast.server.tls;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Map;

/** The certificates of tests; {@code make.sh} beside them says what each is. */
public final class TlsFiles {
    private TlsFiles() {}

    public static Path file(String name) {
        URL found = TlsFiles.class.getResource("/certificates/" + name);
        if (found == null) {
            throw new AssertionError("no certificate " + name);
        }
        try {
            return Path.of(found.toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** The settings of a member. */
    public static Map<String, String> settings(String member) {
        return Map.of(
                "tls.certificate", file(member + ".pem").toString(),
                "tls.key", file(member + ".key").toString(),
                "tls.ca", file("ca.pem").toString());
    }
}
