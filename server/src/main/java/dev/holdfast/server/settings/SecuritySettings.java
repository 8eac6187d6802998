package dev.holdfast.server.settings;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What protects a node: nothing of it is there unless it is given.
 *
 * @param origins other web sites whose pages may open a WebSocket, as browsers write them
 */
public record SecuritySettings(
        Optional<TlsSettings> tls, Optional<AuthSettings> auth, LimitSettings limits, Set<String> origins) {
    /** As browsers write it: lower case, and no port that goes without saying. */
    private static final Pattern ORIGIN =
            Pattern.compile("(http://(?!.*:80$)|https://(?!.*:443$))([a-z0-9._-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?");

    static SecuritySettings read(Values values, ClusterSettings cluster) {
        Optional<TlsSettings> tls = TlsSettings.read(values, cluster);
        return new SecuritySettings(
                tls, AuthSettings.read(values, cluster, tls), LimitSettings.read(values), origins(values));
    }

    private static Set<String> origins(Values values) {
        return values.read(
                        Setting.WEBSOCKET_ORIGINS,
                        text -> Arrays.stream(text.split(",", -1))
                                .map(String::strip)
                                .map(SecuritySettings::origin)
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

    /** Whether others than this machine may reach the port for clients. */
    boolean protectsClients() {
        return tls.isPresent() && auth.isPresent();
    }

    /** Whether others than this machine may reach the port for members. */
    boolean protectsMembers() {
        return tls.flatMap(TlsSettings::memberAuthority).isPresent();
    }
}
