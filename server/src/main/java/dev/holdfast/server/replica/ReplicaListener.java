package dev.holdfast.server.replica;

import dev.holdfast.core.command.Batch;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Applied;
import dev.holdfast.server.request.Stamp;

/**
 * Follows what is applied. Called by the apply thread while it has the machine to itself: must be quick, must
 * not throw, must not wait for another thread.
 */
public interface ReplicaListener {
    /** One entry as this node applied it. */
    record AppliedEntry(long term, long index, long proposer, long number, Batch batch, Applied applied) {
        public Stamp stamp() {
            return new Stamp(term, index, applied.now(), applied.revision());
        }
    }

    /** An entry was applied. */
    void applied(AppliedEntry entry);

    /** The state was replaced by a snapshot's: events in between were not seen here. */
    default void replaced(MachineView view, long index) {}
}
