package dev.holdfast.server.settings;

/** Where a value came from, in words: {@code holdfast.conf:3}, {@code environment}, {@code flag}, {@code default}. */
public record Origin(String words) {
    static final Origin DEFAULT = new Origin("default");
    static final Origin ENVIRONMENT = new Origin("environment");
    static final Origin FLAG = new Origin("flag");

    static Origin line(String file, int number) {
        return new Origin(file + ':' + number);
    }

    static Origin of(Setting other) {
        return new Origin("from " + other.key());
    }

    @Override
    public String toString() {
        return words;
    }
}
