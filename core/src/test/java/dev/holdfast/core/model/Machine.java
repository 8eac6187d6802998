package dev.holdfast.core.model;

import dev.holdfast.core.Applied;
import dev.holdfast.core.Batch;
import dev.holdfast.core.snapshot.StateHash;
import dev.holdfast.core.snapshot.StateImage;

/** A lock machine, whoever wrote it. */
interface Machine {
    Applied apply(long entryTerm, Batch batch);

    StateImage image();

    /** The hash of the state; one that has no hash of its own gives that of its image. */
    default long stateHash() {
        return StateHash.of(image());
    }

    /**
     * Makes this state, read from a backup, that of a new cluster.
     *
     * @param highestTokenSeen 0 for none
     */
    Applied beginEpoch(long highestTokenSeen, boolean quarantine);
}
