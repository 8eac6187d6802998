package dev.holdfast.consensus.ratis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Certificates that say which member somebody is, each signed by itself; they protect nothing. */
final class Papers {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String MEMBER = "holdfast://member/";
    private static final int URI_NAME = 6;

    private final Path directory;
    private final KeyStore believed;

    Papers(Path directory) throws GeneralSecurityException, IOException {
        this.directory = directory;
        this.believed = KeyStore.getInstance("PKCS12");
        believed.load(null, PASSWORD);
    }

    /** Makes a certificate of a member; those who are not vouched for are not believed. */
    Papers issue(String name, boolean vouchedFor) throws Exception {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process making = new ProcessBuilder(
                        tool,
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=ip:127.0.0.1,uri:" + MEMBER + name,
                        "-validity",
                        "365",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file(name).toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (making.waitFor() != 0) {
            throw new IOException("keytool failed for " + name);
        }
        if (vouchedFor) {
            believed.setCertificateEntry(name, store(name).getCertificate(name));
        }
        return this;
    }

    private Path file(String name) {
        return directory.resolve(name + ".p12");
    }

    private KeyStore store(String name) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file(name))) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    /** What this member shows, and whom it believes. */
    PeerTls of(String name) throws GeneralSecurityException, IOException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store(name), PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(believed);
        return new PeerTls(
                (X509ExtendedKeyManager) keys.getKeyManagers()[0],
                (X509ExtendedTrustManager) trust.getTrustManagers()[0],
                Papers::name);
    }

    private static Optional<String> name(X509Certificate certificate) {
        try {
            Collection<List<?>> names = Objects.requireNonNull(certificate.getSubjectAlternativeNames());
            return names.stream()
                    .filter(name -> name.get(0).equals(URI_NAME))
                    .map(name -> String.valueOf(name.get(1)).substring(MEMBER.length()))
                    .findFirst();
        } catch (CertificateParsingException e) {
            throw new AssertionError(e);
        }
    }
}
