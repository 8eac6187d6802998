package dev.holdfast.server.rest;

import dev.holdfast.server.request.Rejected;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a watch has come.
 *
 * @param epoch the epoch of the revision: after a restore, revisions mean something else
 * @param revision everything up to it was delivered
 */
record Cursor(long epoch, long revision) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,5})-(\\d{1,15})");

    static Cursor parse(String field, String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw Rejected.invalid(
                    field, "is not a cursor; use the id of a message, or leave it out to watch from now on");
        }
        return new Cursor(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    @Override
    public String toString() {
        return epoch + "-" + revision;
    }
}
