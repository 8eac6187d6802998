package dev.holdfast.guard;

import java.util.Locale;
import java.util.StringJoiner;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Marks as one line of text. */
final class MarksText {
    private static final Pattern WORD = Pattern.compile("x(\\d+):(\\d+)|s(\\d+)|p(\\d+):(\\d+):(\\d+)");

    private MarksText() {}

    static String write(Marks marks) {
        StringJoiner words = new StringJoiner(" ");
        Mark exclusive = marks.exclusive();
        if (!exclusive.equals(Mark.NONE)) {
            words.add(String.format(Locale.ROOT, "x%d:%d", exclusive.token(), exclusive.sequence()));
        }
        if (marks.shared() != 0) {
            words.add(String.format(Locale.ROOT, "s%d", marks.shared()));
        }
        marks.permits()
                .forEach((slot, mark) ->
                        words.add(String.format(Locale.ROOT, "p%d:%d:%d", slot, mark.token(), mark.sequence())));
        return words.toString();
    }

    static Marks parse(String text) {
        Mark exclusive = Mark.NONE;
        long shared = 0;
        TreeMap<Integer, Mark> permits = new TreeMap<>();
        for (StringTokenizer words = new StringTokenizer(text, " "); words.hasMoreTokens(); ) {
            Matcher word = WORD.matcher(words.nextToken());
            if (!word.matches()) {
                throw new IllegalArgumentException("marks: '" + text + "' are none");
            }
            if (word.group(1) != null) {
                exclusive = mark(word.group(1), word.group(2));
            } else if (word.group(3) != null) {
                shared = Long.parseLong(word.group(3));
            } else {
                permits.put(Integer.parseInt(word.group(4)), mark(word.group(5), word.group(6)));
            }
        }
        return new Marks(exclusive, shared, permits);
    }

    /** Digits too many for a number are refused by the number's own parser, with an IllegalArgumentException. */
    private static Mark mark(String token, String sequence) {
        return new Mark(Long.parseLong(token), Long.parseLong(sequence));
    }
}
