package dev.holdfast.server.settings.source;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.server.settings.NodeSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads settings from flags alone, beside the two that every node must have. */
final class Reading {
    private Reading() {}

    /** @param pairs key, value, key, value … */
    static NodeSettings read(String... pairs) {
        return SettingsReader.read(Optional.empty(), Map.of(), flags(pairs));
    }

    /** The problems with these; empty if there is none. */
    static List<String> problems(String... pairs) {
        SettingsException refused = catchThrowableOfType(SettingsException.class, () -> read(pairs));
        return Optional.ofNullable(refused).map(SettingsException::problems).orElse(List.of());
    }

    static Map<String, String> flags(String... pairs) {
        Map<String, String> flags = new LinkedHashMap<>();
        flags.put("node.name", "n1");
        flags.put("data.dir", "/var/lib/holdfast");
        for (int i = 0; i < pairs.length; i += 2) {
            flags.put(pairs[i], pairs[i + 1]);
        }
        return flags;
    }
}
