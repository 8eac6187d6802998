package dev.holdfast.server.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How clients prove who they are: by a signed token.
 *
 * @param keys the file with what tokens are signed by: a JWK set, a public key in PEM form, or a secret
 * @param audience whom a token must be meant for
 * @param issuer whom a token must be from, if only one may sign them
 */
public record AuthSettings(Path keys, String audience, Optional<String> issuer) {

    static Optional<AuthSettings> read(Values values, ClusterSettings cluster, Optional<TlsSettings> tls) {
        Optional<Path> keys = values.read(Setting.AUTH_KEYS, IdentitySettings::path);
        Optional<String> audience = values.read(Setting.AUTH_AUDIENCE, text -> text);
        Optional<String> issuer = values.read(Setting.AUTH_ISSUER, text -> text);
        if (keys.isEmpty()) {
            if (values.isGiven(Setting.AUTH_ISSUER)) {
                values.refuse(Setting.AUTH_ISSUER, "needs auth.keys: no token is looked at without");
            }
            return Optional.empty();
        }
        boolean membersKnown = tls.flatMap(TlsSettings::memberAuthority).isPresent();
        if (cluster.mode() != ClusterSettings.Mode.SINGLE && !membersKnown) {
            values.refuse(
                    Setting.AUTH_KEYS,
                    "needs tls.certificate, tls.key and tls.ca in a cluster: otherwise whoever says to be a member"
                            + " acts for every client");
        }
        return Optional.of(new AuthSettings(keys.get(), audience.orElse(""), issuer));
    }
}
