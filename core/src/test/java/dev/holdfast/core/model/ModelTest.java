package dev.holdfast.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Plays seeded histories to the machine and to its naive second implementation, which must never differ.
 *
 * <p>{@code -Dholdfast.seeds=N} plays more of them, {@code -Dholdfast.long=true} many more, {@code
 * -Dholdfast.seed=S} only that one.
 */
class ModelTest {
    private static final long DEFAULT_SEEDS = 1_000;
    private static final long SEEDS = Boolean.getBoolean("holdfast.long") ? 20_000 : DEFAULT_SEEDS;
    private static final long MAX_SEEDS_FOR_A_BUG = 2_000;

    @Test
    void machine_and_model_never_differ() {
        seeds(Long.getLong("holdfast.seeds", SEEDS)).forEach(seed -> assertNoDifference(seed, machine()));
    }

    /** Covers the codec of commands and of snapshots: nothing may get lost on either way. */
    @Test
    void machine_that_restarts_from_its_snapshot_after_every_entry_never_differs_from_the_model() {
        seeds(SEEDS / 3).forEach(seed -> assertNoDifference(seed, new RealMachine(true)));
    }

    private static LongStream seeds(long count) {
        Long only = Long.getLong("holdfast.seed");
        return only == null ? LongStream.rangeClosed(1, count) : LongStream.of(only);
    }

    private static void assertNoDifference(long seed, Machine machine) {
        Optional<String> difference = new Duel(seed, new NaiveMachine(), machine).firstDifference();
        if (difference.isPresent()) {
            throw new AssertionError(difference.get());
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void planted_bug_is_noticed(PlantedBug bug) {
        long seed = 1;
        while (seed <= MAX_SEEDS_FOR_A_BUG && !isNoticed(bug, seed)) {
            seed++;
        }
        assertThat(seed).as("seeds until %s is noticed", bug).isLessThanOrEqualTo(MAX_SEEDS_FOR_A_BUG);
    }

    private static boolean isNoticed(PlantedBug bug, long seed) {
        return new Duel(seed, new NaiveMachine(Set.of(bug)), machine())
                .firstDifference()
                .isPresent();
    }

    @Test
    @Tag("slow")
    void everything_that_can_come_about_does() {
        Coverage coverage = new Coverage();
        for (long seed = 1; seed <= DEFAULT_SEEDS; seed++) {
            Machine model = new NaiveMachine();
            CommandGenerator generator = new CommandGenerator(seed, model.image());
            for (int number = 0; number < Duel.STEPS; number++) {
                coverage.count(Duel.play(generator.next(model.image()), model));
            }
        }
        assertThat(coverage.counts()).containsKeys(Coverage.everything().toArray(String[]::new));
    }

    @Test
    void unknown_feature_level_stops_the_machine() {
        Batch batch = Batch.of(1, 0, 0, List.of(new Command.RaiseFeatureLevel(2)));
        for (Machine either : List.of(new NaiveMachine(), machine())) {
            assertThatThrownBy(() -> either.apply(1, batch)).isInstanceOf(IllegalStateException.class);
        }
    }

    private static Machine machine() {
        return new RealMachine(false);
    }
}
