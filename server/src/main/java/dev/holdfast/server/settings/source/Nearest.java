package dev.holdfast.server.settings.source;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant. */
final class Nearest {
    private Nearest() {}

    /** The sentence to put after "unknown": the nearest name, or all of them where none comes near. */
    static String suggestion(String unknown, List<String> names) {
        return nearest(unknown, names)
                .map(name -> "did you mean " + name + "?")
                .orElseGet(() -> "there are " + String.join(", ", names));
    }

    private static Optional<String> nearest(String unknown, List<String> names) {
        return names.stream()
                .min(Comparator.comparingInt((String name) -> distance(folded(unknown), folded(name)))
                        .thenComparing(Comparator.naturalOrder()))
                // Beyond half of its letters it is another word.
                .filter(name -> distance(folded(unknown), folded(name)) <= name.length() / 2);
    }

    /** Wrong capitals and separators are the most common slips and should cost nothing. */
    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT).replace('-', '.').replace('_', '.');
    }

    /** Levenshtein: letters to insert, delete or replace. */
    static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
