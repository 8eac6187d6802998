package dev.holdfast.server.settings.source;

import dev.holdfast.server.settings.AuthSettings;
import dev.holdfast.server.settings.ClusterSettings;
import dev.holdfast.server.settings.LimitSettings;
import dev.holdfast.server.settings.SecuritySettings;
import dev.holdfast.server.settings.TlsSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads what protects a node: certificates, keys of tokens, limits, and the web sites that may connect. */
final class SecurityReader {
    private static final int MAX_LIMIT = 10_000_000;
    private static final long MIN_UNREAD_BYTES = 1024 * 1024;
    private static final long MAX_UNREAD_BYTES = 64L * 1024 * 1024 * 1024;
    /** As browsers write it: lower case, and no port that goes without saying. */
    private static final Pattern ORIGIN =
            Pattern.compile("(http://(?!.*:80$)|https://(?!.*:443$))([a-z0-9._-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?");

    private SecurityReader() {}

    static SecuritySettings read(Values values, ClusterSettings cluster) {
        Optional<TlsSettings> tls = tls(values, cluster);
        return new SecuritySettings(tls, auth(values, cluster, tls), limits(values), origins(values));
    }

    private static Optional<TlsSettings> tls(Values values, ClusterSettings cluster) {
        Optional<Path> certificate = values.read(Setting.TLS_CERTIFICATE, IdentityReader::path);
        Optional<Path> key = values.read(Setting.TLS_KEY, IdentityReader::path);
        Optional<Path> members = values.read(Setting.TLS_CA, IdentityReader::path);
        Optional<Path> clients = values.read(Setting.TLS_CLIENT_CA, IdentityReader::path);
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
            values.refuse(
                    Setting.TLS_CERTIFICATE,
                    "needs tls.ca as well: the authority that signs members' " + "certificates");
        }
        return Optional.of(new TlsSettings(certificate.get(), key.get(), members, clients));
    }

    private static Optional<AuthSettings> auth(Values values, ClusterSettings cluster, Optional<TlsSettings> tls) {
        Optional<Path> keys = values.read(Setting.AUTH_KEYS, IdentityReader::path);
        Optional<String> audience = values.read(Setting.AUTH_AUDIENCE, text -> text);
        Optional<String> issuer = values.read(Setting.AUTH_ISSUER, text -> text);
        if (keys.isEmpty()) {
            if (values.isGiven(Setting.AUTH_ISSUER)) {
                values.refuse(Setting.AUTH_ISSUER, "needs auth.keys: without it no token is checked");
            }
            return Optional.empty();
        }
        boolean membersKnown = tls.flatMap(TlsSettings::memberAuthority).isPresent();
        if (cluster.mode() != ClusterSettings.Mode.SINGLE && !membersKnown) {
            values.refuse(
                    Setting.AUTH_KEYS,
                    "needs tls.certificate, tls.key and tls.ca in a cluster: otherwise anyone who claims to be a "
                            + "member could act for every client");
        }
        return Optional.of(new AuthSettings(keys.get(), audience.orElse(""), issuer));
    }

    private static LimitSettings limits(Values values) {
        return new LimitSettings(
                number(values, Setting.LIMIT_RATE, 0),
                number(values, Setting.LIMIT_RATE_TENANT, 0),
                number(values, Setting.LIMIT_CONNECTIONS, 1),
                number(values, Setting.LIMIT_STREAMS, 1),
                number(values, Setting.LIMIT_WATCHES, 1),
                number(values, Setting.LIMIT_WATCHES_TENANT, 1),
                values.read(Setting.LIMIT_UNREAD, text -> Notation.bytes(text, MIN_UNREAD_BYTES, MAX_UNREAD_BYTES))
                        .orElseGet(LimitSettings::defaultUnreadBytes));
    }

    private static int number(Values values, Setting setting, int fewest) {
        return values.read(setting, text -> {
                    if (!text.matches("\\d{1,8}")
                            || Integer.parseInt(text) < fewest
                            || Integer.parseInt(text) > MAX_LIMIT) {
                        throw new IllegalArgumentException("must be a number from " + fewest + " to " + MAX_LIMIT);
                    }
                    return Integer.parseInt(text);
                })
                .orElse(fewest);
    }

    private static Set<String> origins(Values values) {
        return values.read(
                        Setting.WEB_ORIGINS,
                        text -> Arrays.stream(text.split(",", -1))
                                .map(String::strip)
                                .map(SecurityReader::origin)
                                .collect(Collectors.toUnmodifiableSet()))
                .orElse(Set.of());
    }

    private static String origin(String text) {
        if (!ORIGIN.matcher(text).matches()) {
            throw new IllegalArgumentException("must be web sites as a browser names them in Origin, such as"
                    + " https://example.com, http://localhost:3000; \"" + text + "\" is none");
        }
        return text;
    }
}
