package dev.holdfast.simulator.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LinearizabilityCheckerTest {
    private final LinearizabilityChecker<LockState, LockInput, LockOutput> checker =
            new LinearizabilityChecker<>(new LockModel());

    @Test
    void keys_are_judged_apart() {
        List<Operation<LockInput, LockOutput>> history = new ArrayList<>();
        history.add(granted("left", 0, "a", 1));
        history.add(granted("right", 2, "b", 1));
        assertThat(checker.check(history)).isInstanceOf(Verdict.Linearizable.class);

        history.add(granted("right", 4, "a", 2));
        assertThat(checker.check(history))
                .isInstanceOfSatisfying(
                        Verdict.NotLinearizable.class,
                        refused -> assertThat(refused.key()).isEqualTo("right"));
    }

    @Test
    void excerpt_shows_the_longest_explained_prefix_and_what_cannot_follow() {
        Tale tale = new Tale()
                .granted(0, 1, "a", 3)
                .released(2, 3, "a", 3)
                .granted(4, 6, "b", 2)
                .seesFree(5, 9);

        assertThat(tale.verdict())
                .isInstanceOfSatisfying(
                        Verdict.NotLinearizable.class,
                        refused -> assertThat(refused.excerpt()).isEqualTo("""
                                key "k": no order explains these 4 operations. The longest that explains a part has 3:
                                    [0, 1] a: TryAcquire[client=a] -> Granted[token=3]   => a holds it, token 3
                                    [2, 3] a: Release[client=a, token=3] -> Released[]   => free, highest token 3
                                    [5, 9] reader: Read[] -> Holder[client=Optional.empty, token=0]   => free, highest token 3
                                None of these can come next, and one must:
                                    [4, 6] b: TryAcquire[client=b] -> Granted[token=2]
                                """));
    }

    @Test
    void excerpt_of_a_long_history_shows_only_its_end() {
        Tale tale = new Tale();
        for (int i = 0; i < 100; i++) {
            tale.seesFree(2L * i, 2L * i + 1);
        }

        assertThat(tale.denied(300, 301, "a").verdict())
                .isInstanceOfSatisfying(Verdict.NotLinearizable.class, refused -> {
                    assertThat(refused.prefix()).hasSize(100);
                    assertThat(refused.excerpt()).contains("… 90 before").hasLineCount(14);
                });
    }

    @Test
    void search_that_costs_too_much_is_given_up_as_unknown() {
        List<Operation<LockInput, LockOutput>> history = manyOrders(18);

        assertThat(new LinearizabilityChecker<>(new LockModel(), 1_000).check(history))
                .isEqualTo(new Verdict.Unknown("k", 1_000));
    }

    @Test
    void key_that_is_wrong_counts_more_than_one_that_was_given_up() {
        List<Operation<LockInput, LockOutput>> history = manyOrders(18);
        history.add(granted("z", 0, "a", 1));
        history.add(granted("z", 4, "b", 2));

        assertThat(new LinearizabilityChecker<>(new LockModel(), 1_000).check(history))
                .isInstanceOf(Verdict.NotLinearizable.class);
    }

    @Test
    void configuration_seen_before_is_not_searched_again() {
        assertThat(checker.check(manyOrders(12))).isInstanceOf(Verdict.NotLinearizable.class);
    }

    @Test
    void reads_are_not_tried_in_every_order() {
        // Sixty overlapping reads have 2^60 sets, and one order is as good as another.
        assertThat(checker.check(overlappingReads(60))).isInstanceOf(Verdict.NotLinearizable.class);
    }

    /** A coin that shows nothing until it is thrown: a throw that nobody saw may have gone either way. */
    @Test
    void every_state_that_an_unknown_outcome_may_lead_to_is_tried() {
        Model<String, String, String> coin = new Model<>() {
            @Override
            public String initial() {
                return "";
            }

            @Override
            public Optional<String> step(String shown, String input, String output) {
                return shown.equals(output) ? Optional.of(shown) : Optional.empty();
            }

            @Override
            public List<String> stepOfUnknownOutcome(String shown, String input) {
                return List.of("heads", "tails", "edge");
            }
        };
        for (String seen : List.of("", "heads", "tails", "edge", "gone")) {
            Verdict verdict = new LinearizabilityChecker<>(coin)
                    .check(List.of(
                            Operation.ofUnknownOutcome("coin", "p", 0, "throw"),
                            Operation.completed("coin", "q", 1, 2, "look", seen)));
            assertThat(verdict instanceof Verdict.Linearizable).as(seen).isEqualTo(!seen.equals("gone"));
        }
    }

    @Test
    void history_longer_than_a_threads_stack_is_no_problem() {
        Tale tale = new Tale();
        for (int i = 1; i <= 30_000; i++) {
            tale.granted(4L * i, 4L * i + 1, "a", i).released(4L * i + 2, 4L * i + 3, "a", i);
        }
        assertThat(tale.verdict()).isInstanceOf(Verdict.Linearizable.class);
    }

    @Test
    void operation_with_an_output_but_no_time_of_return_must_have_happened_some_time() {
        Operation<LockInput, LockOutput> late = Operation.completed(
                "k", "p", 0, Operation.NEVER, new LockInput.TryAcquire("a"), new LockOutput.Granted(1));
        Operation<LockInput, LockOutput> other = granted("k", 5, "b", 2);

        assertThat(checker.check(List.of(late))).isInstanceOf(Verdict.Linearizable.class);
        assertThat(checker.check(List.of(late, other))).isInstanceOf(Verdict.NotLinearizable.class);
    }

    @Test
    void operation_must_not_return_before_its_call_nor_at_a_time_without_an_output() {
        LockInput read = new LockInput.Read();
        assertThatThrownBy(() -> Operation.completed("k", "p", 5, 4, read, LockOutput.Holder.NONE))
                .hasMessageContaining("returned at 4, before 5");
        assertThatThrownBy(() -> new Operation<>("k", "p", 5, 9, read, Optional.empty()))
                .hasMessageContaining("may take effect after 9");
    }

    /** Reads that all overlap and are all right, and a denial that is wrong: every set of the reads is a dead end. */
    private static List<Operation<LockInput, LockOutput>> overlappingReads(int reads) {
        List<Operation<LockInput, LockOutput>> history = new ArrayList<>();
        for (int i = 0; i < reads; i++) {
            history.add(Operation.completed("k", "p" + i, 0, 100, new LockInput.Read(), LockOutput.Holder.NONE));
        }
        history.add(Operation.completed("k", "q", 0, 100, new LockInput.TryAcquire("q"), new LockOutput.Denied()));
        return history;
    }

    /** Grants that all overlap, each with its release, and a read of what never was. */
    private static List<Operation<LockInput, LockOutput>> manyOrders(int grants) {
        List<Operation<LockInput, LockOutput>> history = new ArrayList<>();
        for (int i = 1; i <= grants; i++) {
            String client = "p" + i;
            history.add(Operation.completed(
                    "k", client, 0, 100, new LockInput.TryAcquire(client), new LockOutput.Granted(i)));
            history.add(Operation.completed(
                    "k", client, 0, 100, new LockInput.Release(client, i), new LockOutput.Released()));
        }
        history.add(Operation.completed("k", "q", 0, 100, new LockInput.Read(), LockOutput.Holder.of("q", 999)));
        return history;
    }

    private static Operation<LockInput, LockOutput> granted(String key, long called, String client, long token) {
        return Operation.completed(
                key, client, called, called + 1, new LockInput.TryAcquire(client), new LockOutput.Granted(token));
    }
}
