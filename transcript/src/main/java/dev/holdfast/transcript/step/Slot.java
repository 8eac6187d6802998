package dev.holdfast.transcript.step;

/** What stands for a value in a form; in capitals there. */
enum Slot {
    NAME("[A-Za-z][\\w-]*"),
    /** A name, or more of it: tenant/name#credential. */
    PRINCIPAL("[\\w/#-]+"),
    /** A number with ms, s, m, h or d. */
    DURATION("-?\\d+(?:ms|s|m|h|d)"),
    NUMBER("-?\\d+"),
    /** A number, or the epoch and the revision of a token from after a restore, as in 1:9. */
    TOKEN("-?\\d+|\\d+:\\d+"),
    /** One word, or anything in double quotes. */
    KEY("\"[^\"]*\"|[^\\s\"]+"),
    PREFIX("\"[^\"]*\"|[^\\s\"]+"),
    VALUE("\"[^\"]*\"|[^\\s\"]+"),
    TEXT("\"[^\"]*\""),
    LIMIT("[A-Z_]+"),
    /** her, his, its or their. */
    HER("her|his|its|their"),
    /** One or more of: KEY, shared KEY, the tree KEY, the shared tree KEY, N of M permits of KEY, joined by and. */
    ITEMS(".+");

    private final String pattern;

    Slot(String pattern) {
        this.pattern = pattern;
    }

    String pattern() {
        return pattern;
    }
}
