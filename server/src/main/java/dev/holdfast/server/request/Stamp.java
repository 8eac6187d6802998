package dev.holdfast.server.request;

/**
 * Where in the log, and when in cluster time, something was decided.
 *
 * @param now cluster time in milliseconds
 * @param revision the state's revision after the entry
 */
public record Stamp(long term, long index, long now, long revision) {}
