package dev.holdfast.server.settings;

import java.util.ArrayList;
import java.util.List;

/** Gathers what is wrong, so that an operator mends all of it at once. */
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
