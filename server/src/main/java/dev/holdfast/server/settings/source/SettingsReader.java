package dev.holdfast.server.settings.source;

import dev.holdfast.server.settings.AddressSettings;
import dev.holdfast.server.settings.ClusterSettings;
import dev.holdfast.server.settings.ElectionSettings;
import dev.holdfast.server.settings.IdentitySettings;
import dev.holdfast.server.settings.NodeSettings;
import dev.holdfast.server.settings.NodeSettings.OutputFormat;
import dev.holdfast.server.settings.SecuritySettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the settings of a node, and reports everything that is wrong with them at once. */
public final class SettingsReader {
    /** Less than the smallest segment would be a snapshot per entry. */
    private static final long MIN_SNAPSHOT_BYTES = 4L * 1024;

    private static final long MAX_SNAPSHOT_BYTES = 64L * 1024 * 1024 * 1024;

    private SettingsReader() {}

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
        ClusterSettings cluster = ClusterReader.read(values);
        IdentitySettings identity = IdentityReader.read(values, cluster);
        SecuritySettings security = SecurityReader.read(values, cluster);
        AddressSettings addresses = AddressReader.read(values, cluster, identity, security);
        ElectionSettings election = ClusterReader.readElection(values);
        long snapshotAfterBytes = values.read(
                        Setting.SNAPSHOT_AFTER_BYTES,
                        text -> Notation.bytes(text, MIN_SNAPSHOT_BYTES, MAX_SNAPSHOT_BYTES))
                .orElse(MIN_SNAPSHOT_BYTES);
        OutputFormat output = values.read(Setting.LOG_FORMAT, text -> Notation.read(text, OutputFormat.values()))
                .orElse(OutputFormat.TEXT);
        problems.throwIfAny();
        return new NodeSettings(
                identity, addresses, cluster, election, snapshotAfterBytes, security, output, described(values));
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
