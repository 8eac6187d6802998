package dev.holdfast.consensus.ratis.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Makes the connections between members: open ones, or such where both ends show a certificate. */
public final class PeerSockets {
    private static final int CONNECT_MILLIS = 1000;
    private static final int HANDSHAKE_MILLIS = 3000;
    /** A request that is written by the thread that made it must fit in here, whatever becomes of the other end. */
    private static final int SEND_BUFFER = 4 * PeerLink.WRITTEN_AT_ONCE;

    private final @Nullable Tls tls;

    private record Tls(
            X509ExtendedKeyManager keys,
            X509ExtendedTrustManager trust,
            Function<X509Certificate, Optional<String>> memberName) {}

    private PeerSockets(@Nullable Tls tls) {
        this.tls = tls;
    }

    /**
     * A connection.
     *
     * @param socket to read from and write to
     * @param carrier to close: with TLS, closing the socket itself would wait for a write that is stuck
     * @param shown whose certificate the other end showed
     */
    record Opened(Socket socket, Socket carrier, Optional<String> shown) {}

    public static PeerSockets open() {
        return new PeerSockets(null);
    }

    /** The managers are asked at each handshake, so what they know may change. */
    public static PeerSockets withCertificates(
            X509ExtendedKeyManager keys,
            X509ExtendedTrustManager trust,
            Function<X509Certificate, Optional<String>> memberName) {
        return new PeerSockets(new Tls(keys, trust, memberName));
    }

    Opened connect(InetSocketAddress to) throws IOException {
        // A channel's socket: a plain one that connected within a time would poll before each read from then on.
        Socket socket = SocketChannel.open().socket();
        try {
            socket.setSendBufferSize(SEND_BUFFER);
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.connect(to, CONNECT_MILLIS);
            return protect(socket, to, true);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Takes an accepted connection; on its own thread, as a handshake may take its time. */
    Opened accept(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        return protect(socket, (InetSocketAddress) socket.getRemoteSocketAddress(), false);
    }

    private Opened protect(Socket socket, InetSocketAddress to, boolean calling) throws IOException {
        Tls given = tls;
        if (given == null) {
            return new Opened(socket, socket, Optional.empty());
        }
        SSLSocket secure = (SSLSocket)
                context(given).getSocketFactory().createSocket(socket, to.getHostString(), to.getPort(), true);
        secure.setUseClientMode(calling);
        secure.setNeedClientAuth(true);
        secure.setSoTimeout(HANDSHAKE_MILLIS);
        secure.startHandshake();
        secure.setSoTimeout(0);
        return new Opened(secure, socket, name(given, secure));
    }

    /** New for each connection: from a session that it remembers, one would be resumed without asking the managers. */
    private static SSLContext context(Tls tls) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {tls.keys()}, new TrustManager[] {tls.trust()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS between members: " + e.getMessage(), e);
        }
    }

    private static Optional<String> name(Tls tls, SSLSocket socket) {
        try {
            return socket.getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? tls.memberName().apply(certificate)
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty();
        }
    }
}
