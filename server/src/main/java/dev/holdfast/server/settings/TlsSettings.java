package dev.holdfast.server.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a node finds what it proves itself with, all in PEM form. What the files say is read when the node starts, and
 * again when they change.
 *
 * @param certificate the node's certificate and those between it and its authority
 * @param memberAuthority whose certificates make a node a member
 * @param clientAuthority whose certificates clients have to show; without it they need none
 */
public record TlsSettings(Path certificate, Path key, Optional<Path> memberAuthority, Optional<Path> clientAuthority) {

    static Optional<TlsSettings> read(Values values, ClusterSettings cluster) {
        Optional<Path> certificate = values.read(Setting.TLS_CERTIFICATE, IdentitySettings::path);
        Optional<Path> key = values.read(Setting.TLS_KEY, IdentitySettings::path);
        Optional<Path> members = values.read(Setting.TLS_CA, IdentitySettings::path);
        Optional<Path> clients = values.read(Setting.TLS_CLIENT_CA, IdentitySettings::path);
        if (certificate.isEmpty() || key.isEmpty()) {
            for (Setting lonely :
                    new Setting[] {Setting.TLS_CERTIFICATE, Setting.TLS_KEY, Setting.TLS_CA, Setting.TLS_CLIENT_CA}) {
                if (values.isGiven(lonely)) {
                    values.refuse(lonely, "needs tls.certificate and tls.key, both");
                }
            }
            return Optional.empty();
        }
        if (members.isEmpty() && cluster.mode() != ClusterSettings.Mode.SINGLE) {
            values.refuse(Setting.TLS_CERTIFICATE, "needs tls.ca beside it: the authority that members are known by");
        }
        return Optional.of(new TlsSettings(certificate.get(), key.get(), members, clients));
    }
}
