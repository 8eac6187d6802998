package dev.holdfast.simulator.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.simulator.run.Plan;
import dev.holdfast.simulator.run.Report;
import dev.holdfast.simulator.run.Simulation;
import dev.holdfast.simulator.world.Trace;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bug in core, server or client is found by some run, soon. */
@Timeout(600)
class PlantedBugsTest {
    private static final int MAX_SEEDS = 2_000;

    @ParameterizedTest
    @EnumSource(PlantedBug.class)
    void a_planted_bug_is_found(PlantedBug bug) throws Exception {
        assumeThat(bug.isRare() && !Boolean.getBoolean("holdfast.long"))
                .as("rare: searched for with -Dholdfast.long=true")
                .isFalse();
        String found = Planting.with(bug, () -> search(bug.likelySeed()));
        System.out.printf("%s: %s%n", bug, found);
        assertThat(found).as("found within " + MAX_SEEDS + " seeds").isNotEmpty();
    }

    private static String search(long likely) {
        return LongStream.concat(LongStream.of(likely), LongStream.rangeClosed(1, MAX_SEEDS))
                .mapToObj(PlantedBugsTest::found)
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String found(long seed) {
        try {
            Report report = Simulation.run(Plan.of(seed), Trace.hashed());
            return report.broken().stream()
                    .findFirst()
                    .map(finding -> "seed " + seed + ": " + finding)
                    .orElse("");
        } catch (RuntimeException e) {
            return "seed " + seed + ": " + e; // the code noticed by itself that something is wrong
        }
    }
}
