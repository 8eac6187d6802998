package dev.holdfast.simulator.log;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the log; one without bytes begins a term.
 *
 * @param proposedNanos when, in the world's time
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Stored(long term, byte @Nullable [] bytes, long proposedNanos) {}
