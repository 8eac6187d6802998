package dev.holdfast.transcript.words;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import dev.holdfast.core.Permits;
import java.util.ArrayList;
import java.util.List;

/** Values as words: durations, tokens, places in line, things held. */
public final class Phrases {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    /** So many neighbours, and one more, are told by the first and the last of them. */
    private static final int LONG_RUN = 3;

    private Phrases() {}

    /** In the largest unit that needs no fraction. */
    public static String duration(long millis) {
        if (millis == 0 || millis % SECOND != 0) {
            return millis == 0 ? "0s" : millis + "ms";
        }
        if (millis % DAY == 0) {
            return millis / DAY + "d";
        }
        if (millis % HOUR == 0) {
            return millis / HOUR + "h";
        }
        return millis % MINUTE == 0 ? millis / MINUTE + "m" : millis / SECOND + "s";
    }

    /** The number itself in the first epoch, after a restore the epoch and the revision, as in 1:9. */
    public static String token(long token) {
        long epoch = token >>> FencingToken.REVISION_BITS;
        return epoch == 0 || token < 0 ? Long.toString(token) : epoch + ":" + (token & FencingToken.MAX_REVISION);
    }

    public static String ordinal(int number) {
        int lastTwo = number % 100;
        int last = lastTwo >= 11 && lastTwo <= 13 ? 0 : number % 10;
        return number
                + switch (last) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }

    /** {@code a}, {@code a and b}, {@code a, b and c}. */
    public static String and(List<String> words) {
        int last = words.size() - 1;
        return last < 1
                ? String.join("", words)
                : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    /** Quoted where it would not read as one word. */
    public static String key(LockKey key) {
        String name = key.toString();
        return name.matches("[^\\s\"]+") ? name : '"' + name + '"';
    }

    /** What is held or awaited. */
    public static String things(List<Hold> holds) {
        return and(holds.stream()
                .map(hold -> hold.kind() == Kind.PERMITS ? permits(hold) : thing(hold))
                .toList());
    }

    private static String thing(Hold hold) {
        String shared = hold.mode() == Mode.SHARED ? "shared " : "";
        return hold.kind() == Kind.SUBTREE ? "the " + shared + "tree " + key(hold.key()) : shared + key(hold.key());
    }

    /** By their numbers while held, by how many while awaited. */
    private static String permits(Hold hold) {
        Permits permits = hold.permits();
        String noun = permits.count() == 1 ? "permit" : "permits";
        String of = " of " + key(hold.key());
        return (permits.areHeld() ? noun + " " + and(slots(permits)) : permits.count() + " " + noun) + of;
    }

    /** One by one, but for long runs of neighbours: {@code 0}, {@code 1}, {@code 4 to 9}. */
    private static List<String> slots(Permits permits) {
        List<String> words = new ArrayList<>();
        for (int range = 0; range < permits.rangeCount(); range++) {
            int last = permits.last(range);
            if (last - permits.first(range) >= LONG_RUN) {
                words.add(permits.first(range) + " to " + last);
                continue;
            }
            for (int slot = permits.first(range); slot <= last; slot++) {
                words.add(Integer.toString(slot));
            }
        }
        return words;
    }
}
