package dev.holdfast.server.settings.source;

import java.util.ArrayList;
import java.util.List;

/** Gathers what is wrong, so that an operator can fix everything at once. */
final class Problems {
    private final List<String> lines = new ArrayList<>();

    void add(Given given, String allowed) {
        lines.add(given + ": " + allowed);
    }

    void add(String line) {
        lines.add(line);
    }

    void throwIfAny() {
        if (!lines.isEmpty()) {
            throw new SettingsException(lines);
        }
    }
}
