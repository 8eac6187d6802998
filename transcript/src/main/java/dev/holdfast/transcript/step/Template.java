package dev.holdfast.transcript.step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A sentence with {@link Slot}s, such as {@code NAME opens a lease for DURATION}. */
final class Template {
    private final String text;
    private final List<String> words;
    private final Pattern pattern;

    Template(String text) {
        this.text = text;
        this.words = List.of(text.split(" ", -1));
        StringBuilder regex = new StringBuilder();
        for (String word : words) {
            Slot slot = slotOf(word);
            regex.append(regex.isEmpty() ? "" : " +");
            regex.append(slot == null ? Pattern.quote(word) : "(" + slot.pattern() + ")");
        }
        this.pattern = Pattern.compile(regex.toString());
    }

    String text() {
        return text;
    }

    /** What stands in the slots, if the sentence has this form. */
    Optional<Match> match(String sentence) {
        Matcher matcher = pattern.matcher(sentence);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        List<String> values = new ArrayList<>(matcher.groupCount());
        for (int i = 1; i <= matcher.groupCount(); i++) {
            values.add(matcher.group(i));
        }
        return Optional.of(new Match(values));
    }

    /** How far a sentence is from this form: 0 if it has it, about 1 for each word that is wrong. */
    double distanceTo(String sentence) {
        String[] said = sentence.trim().split(" +", -1);
        double[] row = new double[said.length + 1];
        Arrays.setAll(row, i -> i);
        for (String word : words) {
            double diagonal = row[0];
            row[0] += 1;
            for (int i = 1; i <= said.length; i++) {
                double replaced = diagonal + difference(word, said[i - 1]);
                // A list of items goes on for several words.
                double further = row[i - 1] + (word.equals(Slot.ITEMS.name()) ? 0.1 : 1);
                diagonal = row[i];
                row[i] = Math.min(replaced, Math.min(further, row[i] + 1));
            }
        }
        return row[said.length];
    }

    private static double difference(String word, String said) {
        Slot slot = slotOf(word);
        if (slot != null) {
            return said.matches(slot.pattern()) ? 0 : 0.5;
        }
        return (double) Spelling.distance(word, said) / Math.max(word.length(), said.length());
    }

    private static @Nullable Slot slotOf(String word) {
        for (Slot slot : Slot.values()) {
            if (slot.name().equals(word)) {
                return slot;
            }
        }
        return null;
    }
}
