package dev.holdfast.server.settings;

/**
 * How the replicated log is kept and sent.
 *
 * @param snapshotAfterBytes log bytes after which the state is written out, so that the log before it can go
 */
public record LogSettings(long snapshotAfterBytes, Transport transport) {
    /** Less than the smallest segment would be a snapshot per entry. */
    private static final long LEAST = 4L * 1024;

    private static final long MOST = 64L * 1024 * 1024 * 1024;
    private static final long UNREADABLE = 0;

    /** What carries entries between nodes. */
    public enum Transport {
        /** A third less work per entry. */
        NETTY,
        /** The one that can use TLS. */
        GRPC
    }

    static LogSettings read(Values values, SecuritySettings security) {
        long bytes = values.read(Setting.SNAPSHOT_AFTER_BYTES, text -> Quantities.bytes(text, LEAST, MOST))
                .orElse(UNREADABLE);
        if (security.protectsMembers()) {
            values.derive(Setting.LOG_TRANSPORT, Choices.word(Transport.GRPC), Setting.TLS_CA);
        }
        Transport transport = values.read(Setting.LOG_TRANSPORT, text -> Choices.read(text, Transport.values()))
                .orElse(Transport.NETTY);
        if (security.protectsMembers() && transport != Transport.GRPC && values.isSound(Setting.LOG_TRANSPORT)) {
            values.refuse(Setting.LOG_TRANSPORT, "must be grpc with tls.ca: it is the one that can use TLS");
        }
        return new LogSettings(bytes, transport);
    }
}
