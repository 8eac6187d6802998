package dev.holdfast.consensus.ratis;

/** Asks the engine to call {@link Duty#snapshot} on the thread that applies. */
@FunctionalInterface
interface SnapshotRequest {
    void send();
}
