package dev.holdfast.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulator.world.Trace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is not done breaks no promise: runs must do all that they are there for. */
@Timeout(120)
class LoadTest {
    private static final int SEEDS = 20;
    private static final List<String> DONE = List.of(
            "DeadlockException",
            "leads election/",
            "proclaims",
            "resigns",
            "upgrades",
            "downgrades",
            "sees GRANTED",
            "is killed",
            "loses power",
            "has a disk that stands still",
            "is cut off");

    @Test
    void twenty_runs_do_all_that_runs_are_there_for() {
        Set<String> seen = new HashSet<>();
        LongStream.rangeClosed(1, SEEDS)
                .forEach(seed -> Simulation.run(
                        Plan.of(seed),
                        Trace.readBy(
                                line -> DONE.stream().filter(line::contains).forEach(seen::add))));
        assertThat(seen).containsExactlyInAnyOrderElementsOf(DONE);
    }
}
