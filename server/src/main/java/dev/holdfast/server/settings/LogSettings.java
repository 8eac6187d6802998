package dev.holdfast.server.settings;

/**
 * How the replicated log is kept.
 *
 * @param snapshotAfterBytes log bytes after which the state is written out, so that the log before it can go
 */
public record LogSettings(long snapshotAfterBytes) {}
