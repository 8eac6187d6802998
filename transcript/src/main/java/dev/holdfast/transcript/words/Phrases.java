package dev.holdfast.transcript.words;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import java.util.ArrayList;
import java.util.List;

/** Values as words: durations, tokens, places in line, things held. */
public final class Phrases {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

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

    /** What is held or awaited, permits of one semaphore together. */
    public static String things(List<Hold> holds) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            if (hold.kind() != Kind.PERMITS) {
                words.add(thing(hold));
                continue;
            }
            int first = i;
            while (i + 1 < holds.size() && holds.get(i + 1).key().equals(hold.key())) {
                i++;
            }
            words.add(permits(holds.subList(first, i + 1)));
        }
        return and(words);
    }

    private static String thing(Hold hold) {
        String shared = hold.mode() == Mode.SHARED ? "shared " : "";
        return hold.kind() == Kind.SUBTREE ? "the " + shared + "tree " + key(hold.key()) : shared + key(hold.key());
    }

    /** By their numbers while held, by how many while awaited. */
    private static String permits(List<Hold> holds) {
        String permits = holds.size() == 1 ? "permit" : "permits";
        String of = " of " + key(holds.get(0).key());
        if (holds.get(0).slot() == Hold.NO_SLOT) {
            return holds.size() + " " + permits + of;
        }
        return permits + " "
                + and(holds.stream().map(hold -> Integer.toString(hold.slot())).toList()) + of;
    }
}
