package dev.holdfast.guard.jdbc;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The name of a table or column, such as {@code accounts} or {@code shop.accounts}.
 *
 * <p>Names cannot be parameters of a statement. So they are letters, digits and underscores only, and quoted all the
 * same: what a database makes of a word, or of its case, does not matter.
 */
record Name(List<String> parts) {
    private static final Pattern PART = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** PostgreSQL cuts longer names off without an error. */
    private static final int LONGEST = 63;

    /** @param what the parameter it comes from, for the message */
    static Name table(String what, String text) {
        List<String> parts = List.of(text.split("\\.", -1));
        if (parts.size() > 2) {
            throw new IllegalArgumentException(what + ": must be 'table' or 'schema.table', is '" + text + "'");
        }
        parts.forEach(part -> check(what, part));
        return new Name(parts);
    }

    /** @param what the parameter it comes from, for the message */
    static Name column(String what, String text) {
        check(what, text);
        return new Name(List.of(text));
    }

    private static void check(String what, String part) {
        if (part.length() > LONGEST || !PART.matcher(part).matches()) {
            throw new IllegalArgumentException(
                    what + ": must be letters, digits and underscores, not begin with a digit" + " and have 1 to "
                            + LONGEST + " characters, is '" + part + "'");
        }
    }

    /** The name of something that belongs to this table and lives beside it. */
    Name sibling(String suffix) {
        String last = last() + suffix;
        check("name made of table '" + last() + "'", last);
        return new Name(parts.size() == 1 ? List.of(last) : List.of(parts.get(0), last));
    }

    /** Without its schema. */
    String last() {
        return parts.get(parts.size() - 1);
    }

    String quotedWith(char quote) {
        return parts.stream().map(part -> quote + part + quote).collect(Collectors.joining("."));
    }

    @Override
    public String toString() {
        return String.join(".", parts);
    }
}
