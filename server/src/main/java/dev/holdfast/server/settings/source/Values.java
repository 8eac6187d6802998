package dev.holdfast.server.settings.source;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The values in force while they are being checked: what was given, else the default.
 *
 * <p>An empty value means the default, so that a flag or a variable can take back what the file says. A value
 * that is not allowed is noted as a problem and reading goes on; checks that combine several keys then ask
 * {@link #isSound} first, so that one slip is not reported in three ways.
 */
final class Values {
    private final Map<Setting, Given> given;
    private final Map<Setting, Given> inForce = new EnumMap<>(Setting.class);
    private final Set<Setting> unsound = EnumSet.noneOf(Setting.class);
    private final Problems problems;

    Values(Map<Setting, Given> given, Problems problems) {
        this.given = new EnumMap<>(Setting.class);
        given.forEach((setting, value) -> {
            if (!value.text().isEmpty()) {
                this.given.put(setting, value);
            }
        });
        this.problems = problems;
        for (Setting setting : Setting.values()) {
            Given byDefault = new Given(setting.key(), setting.byDefault().orElse(""), Given.DEFAULT);
            inForce.put(setting, this.given.getOrDefault(setting, byDefault));
        }
    }

    boolean isGiven(Setting setting) {
        return given.containsKey(setting);
    }

    boolean isSound(Setting... settings) {
        return Set.of(settings).stream().noneMatch(unsound::contains);
    }

    /**
     * Reads a value; empty if there is none, or none that is allowed.
     *
     * @param parser throws {@link IllegalArgumentException} that says what is allowed
     */
    <T> Optional<T> read(Setting setting, Function<String, T> parser) {
        String text = inForce(setting).text();
        if (text.isEmpty()) {
            if (setting.byDefault().isEmpty()) {
                problems.add(setting.key() + ": must be given: " + setting.meaning());
                unsound.add(setting);
            }
            return Optional.empty();
        }
        try {
            return Optional.of(parser.apply(text));
        } catch (IllegalArgumentException e) {
            refuse(setting, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    void refuse(Setting setting, String allowed) {
        problems.add(inForce(setting), allowed);
        unsound.add(setting);
    }

    /** Puts what follows from another key in force where nothing was given. */
    void derive(Setting setting, String text, Setting from) {
        if (!isGiven(setting)) {
            inForce.put(setting, new Given(setting.key(), text, "from " + from.key()));
        }
    }

    Given inForce(Setting setting) {
        return inForce.getOrDefault(setting, new Given(setting.key(), "", Given.DEFAULT));
    }
}
