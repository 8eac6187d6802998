package dev.holdfast.server.tls;

import com.linecorp.armeria.common.TlsKeyPair;
import dev.holdfast.server.settings.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The certificates of a node while it runs. Handshakes use what was read last; connections that exist stay as they
 * are.
 */
public final class NodeTls {
    private final TlsSettings files;
    private final Optional<String> member;
    private volatile Certificates latest;

    /**
     * Reads the files.
     *
     * @param name of the node, which its certificate must carry where an authority of members is given
     * @throws IOException that names the file and what is wrong with it
     */
    public NodeTls(TlsSettings files, String name) throws IOException {
        this.files = files;
        this.member = files.memberAuthority().isPresent() ? Optional.of(name) : Optional.empty();
        this.latest = Certificates.read(files, member);
    }

    /** Reads the files again; what is not sound changes nothing. */
    public void reload() throws IOException {
        latest = Certificates.read(files, member);
    }

    /** What {@link #reload} reads. */
    public List<Path> files() {
        return Stream.concat(
                        Stream.of(files.certificate(), files.key()),
                        Stream.concat(files.memberAuthority().stream(), files.clientAuthority().stream()))
                .toList();
    }

    /** The pair of now, for what needs one to begin with. */
    public TlsKeyPair pair() {
        return latest.pair();
    }

    /** What this node shows, to clients and to members. */
    public X509ExtendedKeyManager keys() {
        return new LatestKeys(() -> latest.keys());
    }

    /** Whom it believes as members. */
    public X509ExtendedTrustManager members() {
        return new LatestTrust(() -> latest.members(), true);
    }

    /** Whose certificates it takes on the client port. */
    public X509ExtendedTrustManager callers() {
        return new LatestTrust(() -> latest.callers(), false);
    }

    /** Whether callers who are no members have to show a certificate, too. */
    public boolean asksClients() {
        return files.clientAuthority().isPresent();
    }

    /** Whether there are members, who are known by their certificates. */
    public boolean asksMembers() {
        return files.memberAuthority().isPresent();
    }

    /** The member at the other end of a connection, if it is one. */
    public Optional<String> memberAt(SSLSession session) {
        try {
            Certificate[] shown = session.getPeerCertificates();
            X509Certificate[] chain = Arrays.copyOf(shown, shown.length, X509Certificate[].class);
            // The handshake believed clients' authorities as well.
            latest.members().checkClientTrusted(chain, "UNKNOWN");
            return MemberName.of(chain[0]);
        } catch (SSLPeerUnverifiedException | CertificateException e) {
            return Optional.empty();
        }
    }
}
