package dev.holdfast.server.settings.source;

import java.util.List;

/** The settings cannot be used: the message lists every problem, a line each. */
public final class SettingsException extends RuntimeException {
    private final List<String> problems;

    SettingsException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
