package dev.holdfast.server.settings;

import java.util.Optional;

/** What protects a node: nothing of it is there unless it is given. */
public record SecuritySettings(Optional<TlsSettings> tls, Optional<AuthSettings> auth, LimitSettings limits) {

    static SecuritySettings read(Values values, ClusterSettings cluster) {
        Optional<TlsSettings> tls = TlsSettings.read(values, cluster);
        return new SecuritySettings(tls, AuthSettings.read(values, cluster, tls), LimitSettings.read(values));
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
