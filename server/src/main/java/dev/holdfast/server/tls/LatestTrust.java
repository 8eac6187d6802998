package dev.holdfast.server.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Believes the authorities that are the latest at each handshake. */
final class LatestTrust extends X509ExtendedTrustManager {
    private final Supplier<X509ExtendedTrustManager> latest;
    private final boolean membersOnly;

    /** @param membersOnly whether a certificate must be a member's as well */
    LatestTrust(Supplier<X509ExtendedTrustManager> latest, boolean membersOnly) {
        this.latest = latest;
        this.membersOnly = membersOnly;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        latest.get().checkClientTrusted(chain, type);
        checkMember(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        latest.get().checkServerTrusted(chain, type);
        checkMember(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        latest.get().checkClientTrusted(chain, type, socket);
        checkMember(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        latest.get().checkServerTrusted(chain, type, socket);
        checkMember(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        latest.get().checkClientTrusted(chain, type, engine);
        checkMember(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        latest.get().checkServerTrusted(chain, type, engine);
        checkMember(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return latest.get().getAcceptedIssuers();
    }

    private void checkMember(X509Certificate[] chain) throws CertificateException {
        if (membersOnly && MemberName.of(chain[0]).isEmpty()) {
            throw new CertificateException("the certificate of "
                    + chain[0].getSubjectX500Principal() + " is not a member's: it lacks the alternative name URI:"
                    + MemberName.uri("NAME"));
        }
    }
}
