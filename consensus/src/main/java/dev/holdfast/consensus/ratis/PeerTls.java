package dev.holdfast.consensus.ratis;

import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * How members prove to each other who they are. Both managers are asked at each handshake, so what they know may
 * change while the log runs.
 *
 * @param keys what this node shows
 * @param trust whom it believes, as a client and as a server
 * @param memberName whose certificate this is, if it is a member's
 */
public record PeerTls(
        X509ExtendedKeyManager keys,
        X509ExtendedTrustManager trust,
        Function<X509Certificate, Optional<String>> memberName) {}
