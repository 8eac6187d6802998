package dev.holdfast.server.settings.source;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Words, times and sizes as people write them, both ways. */
final class Notation {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s)?");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,12})\\s*(B|KB|MB|GB)?");
    private static final long KILO = 1024;

    private Notation() {}

    /** Reads {@code 300}, {@code 300ms} or {@code 2s}. */
    static Duration duration(String text, Duration shortest, Duration longest) {
        String allowed = "must be a time from " + words(shortest) + " to " + words(longest) + ", such as 300 or 300ms";
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(allowed);
        }
        long number = Long.parseLong(matcher.group(1));
        Duration read = "s".equals(matcher.group(2)) ? Duration.ofSeconds(number) : Duration.ofMillis(number);
        if (read.compareTo(shortest) < 0 || read.compareTo(longest) > 0) {
            throw new IllegalArgumentException(allowed);
        }
        return read;
    }

    /** Reads {@code 1048576}, {@code 1024KB} or {@code 1MB}; a kilobyte has 1024 bytes. */
    static long bytes(String text, long fewest, long most) {
        String allowed = "must be a size from " + words(fewest) + " to " + words(most) + ", such as 67108864 or 64MB";
        Matcher matcher = BYTES.matcher(text.toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(allowed);
        }
        String unit = matcher.group(2) == null ? "B" : matcher.group(2);
        long factor = switch (unit) {
            case "KB" -> KILO;
            case "MB" -> KILO * KILO;
            case "GB" -> KILO * KILO * KILO;
            default -> 1;
        };
        // Twelve digits of gigabytes would wrap: compare before multiplying.
        long number = Long.parseLong(matcher.group(1));
        if (number > most / factor || number * factor < fewest) {
            throw new IllegalArgumentException(allowed);
        }
        return number * factor;
    }

    static String words(Duration duration) {
        long millis = duration.toMillis();
        return millis >= 1_000 && millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    static String words(long bytes) {
        long left = bytes;
        int unit = 0;
        String[] units = {"B", "KB", "MB", "GB"};
        while (left >= KILO && left % KILO == 0 && unit < units.length - 1) {
            left /= KILO;
            unit++;
        }
        return left + units[unit];
    }

    /** @param choices the constants, each spelt in small letters */
    static <E extends Enum<E>> E read(String text, E[] choices) {
        return Stream.of(choices)
                .filter(choice -> word(choice).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "must be " + Stream.of(choices).map(Notation::word).collect(Collectors.joining(" or "))));
    }

    static boolean readBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false");
        };
    }

    static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }
}
