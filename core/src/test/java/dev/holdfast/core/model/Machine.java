package dev.holdfast.core.model;

import dev.holdfast.core.Applied;
import dev.holdfast.core.Batch;
import dev.holdfast.core.snapshot.StateImage;

/** A lock machine, whoever wrote it. */
interface Machine {
    Applied apply(long entryTerm, Batch batch);

    StateImage image();

    /**
     * Makes this state, read from a backup, that of a new cluster.
     *
     * @param highestTokenSeen 0 for none
     */
    Applied beginEpoch(long highestTokenSeen, boolean quarantine);
}
