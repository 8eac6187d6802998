package dev.holdfast.simulator.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Seeded histories of a lock in memory; {@code -Dholdfast.seed=S} plays only that one. */
class RandomHistoriesTest {
    private static final int CLIENTS = 8;
    private static final int KEYS = 3;
    private static final int OPERATIONS = 600;

    private final LinearizabilityChecker<LockState, LockInput, LockOutput> checker =
            new LinearizabilityChecker<>(new LockModel());

    @Test
    void history_of_a_correct_lock_always_passes() {
        Long only = Long.getLong("holdfast.seed");
        LongStream seeds = only == null ? LongStream.rangeClosed(1, 500) : LongStream.of(only);
        seeds.forEach(seed -> {
            Verdict verdict = checker.check(RandomRun.history(seed, PlantedBug.NONE, CLIENTS, KEYS, OPERATIONS));
            if (verdict instanceof Verdict.NotLinearizable refused) {
                fail("seed " + seed + ": " + refused.excerpt());
            }
            assertThat(verdict).as("seed %d", seed).isInstanceOf(Verdict.Linearizable.class);
        });
    }

    /** Not every seed: a bug that strikes while other operations overlap may look like a correct lock. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void history_of_a_lock_with_a_planted_bug_is_refused(PlantedBug bug) {
        long seeds = 100;
        long caught = LongStream.rangeClosed(1, seeds)
                .filter(seed -> checker.check(RandomRun.history(seed, bug, CLIENTS, KEYS, OPERATIONS))
                        instanceof Verdict.NotLinearizable)
                .count();
        assertThat(caught).as("of %d seeds with %s", seeds, bug).isGreaterThan(seeds / 2);
    }

    @Test
    void two_thousand_operations_on_twenty_keys_take_few_steps() {
        List<Operation<LockInput, LockOutput>> history = RandomRun.history(1, PlantedBug.NONE, 20, 20, 2_000);
        assertThat(history).hasSizeGreaterThan(1_900);

        assertThat(checker.check(history))
                .isInstanceOfSatisfying(
                        Verdict.Linearizable.class,
                        found -> assertThat(found.steps()).isLessThan(50_000));
    }

    @Test
    void histories_overlap_lose_replies_and_expire_enough_to_mean_something() {
        List<Operation<LockInput, LockOutput>> history =
                RandomRun.history(7, PlantedBug.NONE, CLIENTS, KEYS, OPERATIONS);

        assertThat(history).anyMatch(operation -> operation.output().isEmpty());
        assertThat(history).anyMatch(operation -> operation.input() instanceof LockInput.Expire);
        assertThat(history.stream().filter(one -> history.stream().anyMatch(other -> overlap(one, other))))
                .hasSizeGreaterThan(OPERATIONS / 2);
    }

    private static boolean overlap(Operation<?, ?> one, Operation<?, ?> other) {
        return one.key().equals(other.key()) && other.called() < one.called() && one.called() < other.returned();
    }
}
