package dev.holdfast.chaos;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Networks that are torn. What is tested is in {@link Partition} and {@link TornNetwork}. */
class PartitionTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void a_leader_cut_off_grants_nothing_and_reads_nothing_old_while_the_majority_goes_on() throws Exception {
        Alone.run(Partition.class, root, PATIENCE);
    }

    @Test
    void whoever_reaches_a_majority_is_served_and_nobody_else() throws Exception {
        Alone.run(TornNetwork.class, root, PATIENCE.multipliedBy(Figures.times(1, 4)), Boolean.toString(Figures.LONG));
    }
}
