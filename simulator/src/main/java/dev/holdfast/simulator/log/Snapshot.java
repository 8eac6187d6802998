package dev.holdfast.simulator.log;

/** The state after an entry. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Snapshot(long index, long term, byte[] bytes) {
    static final Snapshot NONE = new Snapshot(-1, 0, new byte[0]);
}
