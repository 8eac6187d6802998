package dev.holdfast.server.tls;

import com.linecorp.armeria.common.TlsKeyPair;
import dev.holdfast.server.settings.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * What the files said when they were read: sound, or they are not here.
 *
 * @param members believes certificates of the members' authority
 * @param callers believes those, and the ones of the clients' authority
 */
record Certificates(
        TlsKeyPair pair,
        X509ExtendedKeyManager keys,
        X509ExtendedTrustManager members,
        X509ExtendedTrustManager callers) {
    private static final char[] NO_PASSWORD = new char[0];
    private static final byte[] SAMPLE = {1, 2, 3, 4};

    /**
     * Reads the files.
     *
     * @param member the name that the certificate must carry; empty where there are no other members
     * @throws IOException that names the file and what is wrong with it
     */
    static Certificates read(TlsSettings files, Optional<String> member) throws IOException {
        TlsKeyPair pair = pair(files);
        List<X509Certificate> chain = pair.certificateChain();
        checkDates(files.certificate(), chain);
        List<X509Certificate> ofMembers = authorities(files.memberAuthority());
        List<X509Certificate> ofClients = authorities(files.clientAuthority());
        try {
            if (!fit(pair.privateKey(), chain.get(0).getPublicKey())) {
                throw new IOException(files.key() + ": is not the key of the certificate in " + files.certificate());
            }
            Certificates read = new Certificates(
                    pair,
                    keys(pair),
                    trust(ofMembers),
                    trust(Stream.concat(ofMembers.stream(), ofClients.stream()).toList()));
            if (member.isPresent()) {
                read.checkMember(files, member.get(), chain);
            }
            return read;
        } catch (GeneralSecurityException e) {
            throw new IOException(files.certificate() + ": cannot be used: " + e.getMessage(), e);
        }
    }

    private void checkMember(TlsSettings files, String name, List<X509Certificate> chain)
            throws IOException, GeneralSecurityException {
        if (!MemberName.of(chain.get(0)).equals(Optional.of(name))) {
            throw new IOException(files.certificate() + ": must carry the alternative name URI:" + MemberName.uri(name)
                    + " and no other member's, because node.name is " + name);
        }
        try {
            members.checkServerTrusted(chain.toArray(X509Certificate[]::new), "UNKNOWN");
        } catch (GeneralSecurityException e) {
            throw new IOException(files.certificate() + ": is not by the authority in tls.ca: " + e.getMessage(), e);
        }
    }

    private static TlsKeyPair pair(TlsSettings files) throws IOException {
        readable(files.certificate());
        readable(files.key());
        try {
            return TlsKeyPair.of(files.key().toFile(), files.certificate().toFile());
        } catch (RuntimeException e) {
            throw new IOException(
                    files.certificate() + ", " + files.key()
                            + ": must be a certificate chain and its key without a password, in PEM form: "
                            + e.getMessage(),
                    e);
        }
    }

    private static void readable(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException(file + ": does not exist or cannot be read");
        }
    }

    private static void checkDates(Path file, List<X509Certificate> chain) throws IOException {
        try {
            chain.get(0).checkValidity();
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    file + ": is valid from " + chain.get(0).getNotBefore() + " to "
                            + chain.get(0).getNotAfter() + " only",
                    e);
        }
    }

    private static List<X509Certificate> authorities(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            return List.of();
        }
        readable(file.get());
        try (InputStream in = Files.newInputStream(file.get())) {
            List<X509Certificate> found = new ArrayList<>();
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(in)
                    .forEach(certificate -> found.add((X509Certificate) certificate));
            if (found.isEmpty()) {
                throw new IOException(file.get() + ": has no certificate in PEM form");
            }
            return found;
        } catch (GeneralSecurityException e) {
            throw new IOException(file.get() + ": must be certificates in PEM form: " + e.getMessage(), e);
        }
    }

    /** Tries them on each other: comparing numbers would need to know every kind of key. */
    private static boolean fit(PrivateKey secret, PublicKey shown) throws GeneralSecurityException {
        String algorithm = switch (secret.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> secret.getAlgorithm(); // Ed25519 and its like sign under their own name
        };
        if (!secret.getAlgorithm().equals(shown.getAlgorithm())) {
            return false;
        }
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(secret);
        signature.update(SAMPLE);
        byte[] signed = signature.sign();
        signature.initVerify(shown);
        signature.update(SAMPLE);
        return signature.verify(signed);
    }

    private static X509ExtendedKeyManager keys(TlsKeyPair pair) throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        store.setKeyEntry(
                "node", pair.privateKey(), NO_PASSWORD, pair.certificateChain().toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        for (KeyManager manager : factory.getKeyManagers()) {
            if (manager instanceof X509ExtendedKeyManager keys) {
                return keys;
            }
        }
        throw new GeneralSecurityException("this Java has no manager for X.509 keys");
    }

    private static X509ExtendedTrustManager trust(Collection<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        if (authorities.isEmpty()) {
            return new RejectAllTrustManager();
        }
        KeyStore store = emptyStore();
        int number = 0;
        for (X509Certificate authority : authorities) {
            store.setCertificateEntry("authority-" + number++, authority);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager trust) {
                return trust;
            }
        }
        throw new GeneralSecurityException("this Java has no manager for X.509 trust");
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
