package dev.holdfast.contract.pause;

import java.util.Locale;

/**
 * What came of a trial.
 *
 * @param pauses how often a holder was stopped
 * @param updates that were acknowledged
 * @param refused accesses that the store refused
 * @param stale writes of a holder that had lost its lock while it was stopped, and that the store took
 * @param lost updates that were acknowledged and are not in the tally
 */
public record Outcome(int pauses, long updates, long refused, long stale, long lost) {
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d updates, %d times a holder was stopped: %d stale writes accepted, %,d updates lost, %d accesses refused",
                updates,
                pauses,
                stale,
                lost,
                refused);
    }
}
