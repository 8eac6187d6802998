package dev.holdfast.core.model;

import dev.holdfast.core.command.Batch;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.snapshot.StateHash;

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
     * @param quarantineMillis {@link dev.holdfast.core.machine.LockMachine#LONGEST_LEASE} for as long as a lease can last
     */
    Applied beginEpoch(long highestTokenSeen, long quarantineMillis);
}
