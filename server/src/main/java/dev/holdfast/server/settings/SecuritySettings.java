package dev.holdfast.server.settings;

import java.util.Optional;
import java.util.Set;

/**
 * What protects a node: everything is off unless it is set.
 *
 * @param origins other web sites whose pages may call the node, as browsers write them
 */
public record SecuritySettings(
        Optional<TlsSettings> tls, Optional<AuthSettings> auth, LimitSettings limits, Set<String> origins) {
    /** Whether others than this machine may reach the port for clients. */
    public boolean protectsClients() {
        return tls.isPresent() && auth.isPresent();
    }

    /** Whether others than this machine may reach the port for members. */
    public boolean protectsMembers() {
        return tls.flatMap(TlsSettings::memberAuthority).isPresent();
    }
}
