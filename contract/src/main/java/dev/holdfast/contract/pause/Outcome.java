package dev.holdfast.contract.pause;

import static org.assertj.core.api.Assertions.assertThat;

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
    /** Fails unless the store refused every stale access, and lost nothing that it acknowledged. */
    public void requireNoHarm() {
        assertThat(stale).as("stale writes that were accepted").isZero();
        assertThat(lost).as("lost updates").isZero();
        assertThat(refused).as("refused accesses, one for each pause").isGreaterThanOrEqualTo(pauses);
    }

    /** Fails unless the stopped holders did harm where nothing kept them from it: otherwise nothing was tried. */
    public void requireHarm() {
        assertThat(stale).as("stale writes without a guard, one for each pause").isEqualTo(pauses);
        assertThat(lost).as("updates lost without a guard").isGreaterThanOrEqualTo(Trial.CERTAIN_LOSS);
    }

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
