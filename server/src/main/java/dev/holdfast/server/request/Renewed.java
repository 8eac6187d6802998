package dev.holdfast.server.request;

/**
 * What became of renewals.
 *
 * @param ends for each lease its end in cluster time, or {@link dev.holdfast.core.result.Applied#NOT_RENEWED}
 */
// The array is handed over.
@SuppressWarnings("ArrayRecordComponent")
public record Renewed(long[] ends, Stamp stamp) {}
