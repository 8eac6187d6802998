package dev.holdfast.server.settings.source;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one of a few words. */
final class Choices {
    private Choices() {}

    /** @param choices the constants, each spelt in small letters */
    static <E extends Enum<E>> E read(String text, E[] choices) {
        return Stream.of(choices)
                .filter(choice -> word(choice).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "must be " + Stream.of(choices).map(Choices::word).collect(Collectors.joining(" or "))));
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
