package dev.holdfast.cli.output;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as people write and read them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 1d}. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private Durations() {}

    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration; write a number with its unit, such as 500ms, 30s, 5m, 2h or 1d");
        }
        return Duration.ofMillis(Long.parseLong(matcher.group(1)) * millis(matcher.group(2)));
    }

    private static long millis(String unit) {
        return switch (unit) {
            case "s" -> SECOND;
            case "m" -> MINUTE;
            case "h" -> HOUR;
            case "d" -> DAY;
            default -> 1;
        };
    }

    /** Short, with the two largest units that matter: {@code 1m30s}. */
    public static String text(long millis) {
        if (millis < SECOND) {
            return millis + "ms";
        }
        if (millis < 10 * SECOND) {
            return millis / SECOND + "." + millis % SECOND / 100 + "s";
        }
        if (millis < MINUTE) {
            return millis / SECOND + "s";
        }
        if (millis < HOUR) {
            return two(millis, MINUTE, "m", SECOND, "s");
        }
        return millis < DAY ? two(millis, HOUR, "h", MINUTE, "m") : two(millis, DAY, "d", HOUR, "h");
    }

    private static String two(long millis, long unit, String name, long smaller, String smallerName) {
        long rest = millis % unit / smaller;
        return millis / unit + name + (rest == 0 ? "" : rest + smallerName);
    }
}
