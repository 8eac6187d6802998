package dev.holdfast.protocol;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a watch has come: what it hands out, and takes back to go on. A text to everybody but the cluster and its
 * clients.
 *
 * @param epoch the epoch of the revision: after a restore, revisions mean something else
 * @param revision everything up to it was delivered
 */
public record Cursor(long epoch, long revision) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,5})-(\\d{1,15})");

    /** The cursor in a text; empty if it is none. */
    public static Optional<Cursor> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new Cursor(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    /** The first revision behind it. */
    public long next() {
        return revision + 1;
    }

    @Override
    public String toString() {
        return epoch + "-" + revision;
    }
}
