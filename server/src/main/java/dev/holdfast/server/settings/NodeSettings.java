package dev.holdfast.server.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that an operator decides about one node. Valid once read: nobody checks any of it again.
 *
 * @param describe every key with its value and where that came from, a line each
 */
public record NodeSettings(
        IdentitySettings identity,
        AddressSettings addresses,
        ClusterSettings cluster,
        ElectionSettings election,
        LogSettings log,
        SecuritySettings security,
        OutputSettings output,
        List<String> describe) {

    public NodeSettings {
        describe = List.copyOf(describe);
    }

    /**
     * Reads flags over environment variables over the file.
     *
     * @param environment all of it: what does not begin with {@code HOLDFAST_} is skipped
     * @param flags by key, as in the file
     * @throws SettingsException that lists everything wrong in any of them
     */
    public static NodeSettings read(Optional<Path> file, Map<String, String> environment, Map<String, String> flags) {
        Problems problems = new Problems();
        List<Given> lines = file.map(path -> SettingsFile.read(path, problems)).orElse(List.of());
        Values values = new Values(new Sources(problems).layered(lines, environment, flags), problems);
        ClusterSettings cluster = ClusterSettings.read(values);
        IdentitySettings identity = IdentitySettings.read(values, cluster);
        SecuritySettings security = SecuritySettings.read(values, cluster);
        AddressSettings addresses = AddressSettings.read(values, cluster, identity, security);
        ElectionSettings election = ElectionSettings.read(values);
        LogSettings log = LogSettings.read(values);
        OutputSettings output = OutputSettings.read(values);
        problems.throwIfAny();
        return new NodeSettings(identity, addresses, cluster, election, log, security, output, described(values));
    }

    /** What is allowed but hardly meant, a sentence each. */
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

    private static List<String> described(Values values) {
        return Stream.of(Setting.values())
                .map(setting -> {
                    Given value = values.inForce(setting);
                    return new Given(setting.key(), value.text(), value.origin()).toString();
                })
                .toList();
    }
}
