package dev.holdfast.server.settings;

/**
 * How the replicated log is kept.
 *
 * @param snapshotAfterBytes log bytes after which the state is written out, so that the log before it can go
 */
public record LogSettings(long snapshotAfterBytes) {
    /** Less than the smallest segment would be a snapshot per entry. */
    private static final long LEAST = 4L * 1024;

    private static final long MOST = 64L * 1024 * 1024 * 1024;
    private static final long UNREADABLE = 0;

    static LogSettings read(Values values) {
        return new LogSettings(values.read(Setting.SNAPSHOT_AFTER_BYTES, text -> Quantities.bytes(text, LEAST, MOST))
                .orElse(UNREADABLE));
    }
}
