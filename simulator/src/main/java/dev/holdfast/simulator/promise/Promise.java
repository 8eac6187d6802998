package dev.holdfast.simulator.promise;

import dev.holdfast.core.event.Event;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;

/** Follows the log, entry by entry, each told once, when the first node has applied it. */
public interface Promise {
    /** An entry, before its events. */
    default void entry(AppliedEntry entry, long proposedNanos) {}

    /** One thing that it made happen. */
    default void happened(Event event) {}

    /** The same entry, after its events. */
    default void applied(AppliedEntry entry) {}

    /** A backup was restored: whatever came after it is forgotten, and nobody holds or waits for anything. */
    default void restored() {}
}
