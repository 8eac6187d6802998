package dev.holdfast.datastore;

/** Tokens and sequences as text. */
final class Numbers {
    private Numbers() {}

    static long parse(String field, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            String shown = text.length() > 40 ? text.substring(0, 40) + "…" : text;
            throw new BadRequestException(field, "must be a whole number below 2^63, is '" + shown + "'");
        }
    }
}
