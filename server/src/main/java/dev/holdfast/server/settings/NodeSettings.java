package dev.holdfast.server.settings;

import java.util.ArrayList;
import java.util.List;

/**
 * All settings of one node. Valid once read: nobody checks any of it again.
 *
 * @param snapshotAfterBytes log bytes after which the state is written out, so that the log before it can go
 * @param describe every key with its value and where that came from, a line each
 */
public record NodeSettings(
        IdentitySettings identity,
        AddressSettings addresses,
        ClusterSettings cluster,
        ElectionSettings election,
        long snapshotAfterBytes,
        SecuritySettings security,
        OutputFormat output,
        List<String> describe) {

    /** The form of the messages that a node writes. */
    public enum OutputFormat {
        /** For people. */
        TEXT,
        /** One object a line, for log collectors. */
        JSON
    }

    public NodeSettings {
        describe = List.copyOf(describe);
    }

    /** Settings that are allowed but probably not intended, one sentence each. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        warnIfUnreachable(warnings, "client.address", addresses.client(), addresses.clientAdvertised());
        warnIfUnreachable(warnings, "peer.address", addresses.peer(), addresses.peerAdvertised());
        return warnings;
    }

    /** Allowed, for something on this machine may forward to it. */
    private static void warnIfUnreachable(List<String> warnings, String key, HostPort bound, HostPort advertised) {
        if (bound.isLoopback() && !advertised.isLoopback()) {
            warnings.add(
                    key + " is " + bound + ", which no other machine reaches, but others are told " + advertised + ".");
        }
    }
}
