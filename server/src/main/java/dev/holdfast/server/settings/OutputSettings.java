package dev.holdfast.server.settings;

/** How a node writes its messages. */
public record OutputSettings(Format format) {

    /** The form of one message. */
    public enum Format {
        /** For people. */
        TEXT,
        /** One object a line, for log collectors. */
        JSON
    }
}
