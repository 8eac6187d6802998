package dev.holdfast.server.replica;

import dev.holdfast.core.query.MachineView;

/**
 * Follows what is applied. Called by the apply thread while it has the machine to itself: must be quick, must
 * not throw, must not wait for another thread.
 */
public interface ReplicaListener {

    /** An entry was applied. */
    void applied(AppliedEntry entry);

    /** The state was replaced by a snapshot's: events in between were not seen here. */
    default void replaced(MachineView view, long index) {}
}
