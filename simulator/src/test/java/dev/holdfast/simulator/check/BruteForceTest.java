package dev.holdfast.simulator.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Compares the checker with one that tries every order, and every token for a grant that nobody saw, on small
 * histories most of which are wrong.
 */
class BruteForceTest {
    private static final int HISTORIES = 10_000;
    private static final long HIGHEST_TOKEN = 4;
    /** An unseen token may be above all that are named; one is as good as another then. */
    private static final long HIGHEST_TRIED = HIGHEST_TOKEN + 6;

    /** The lock spelt out with real numbers: no unseen tokens here. */
    private record Plain(Optional<String> holder, long token) {}

    @Test
    void verdict_equals_that_of_trying_every_order_and_every_token() {
        int good = 0;
        for (long seed = 1; seed <= HISTORIES; seed++) {
            List<Operation<LockInput, LockOutput>> history = history(new SplittableRandom(seed));
            boolean expected = explains(history, new Plain(Optional.empty(), 0));
            Verdict verdict = new LinearizabilityChecker<>(new LockModel()).check(history);
            assertThat(verdict instanceof Verdict.Linearizable)
                    .as("seed %d: %s", seed, history)
                    .isEqualTo(expected);
            assertThat(verdict).isNotInstanceOf(Verdict.Unknown.class);
            good += expected ? 1 : 0;
        }
        assertThat(good).isBetween(HISTORIES / 20, HISTORIES * 19 / 20);
    }

    private static boolean explains(List<Operation<LockInput, LockOutput>> left, Plain state) {
        if (left.stream().allMatch(operation -> operation.output().isEmpty())) {
            return true;
        }
        for (Operation<LockInput, LockOutput> next : left) {
            boolean tooEarly =
                    left.stream().anyMatch(other -> other.output().isPresent() && other.returned() < next.called());
            if (tooEarly) {
                continue;
            }
            List<Operation<LockInput, LockOutput>> rest = new ArrayList<>(left);
            rest.remove(next);
            for (Plain after : after(state, next)) {
                if (explains(rest, after)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<Plain> after(Plain state, Operation<LockInput, LockOutput> operation) {
        LockInput input = operation.input();
        List<LockOutput> outputs = operation.output().map(List::of).orElseGet(BruteForceTest::everyOutput);
        List<Plain> states = new ArrayList<>();
        for (LockOutput output : outputs) {
            after(state, input, output).ifPresent(states::add);
        }
        return states;
    }

    private static Optional<Plain> after(Plain state, LockInput input, LockOutput output) {
        boolean free = state.holder().isEmpty();
        if (input instanceof LockInput.TryAcquire asked) {
            if (output instanceof LockOutput.Granted granted && free && granted.token() > state.token()) {
                return Optional.of(new Plain(Optional.of(asked.client()), granted.token()));
            }
            return output instanceof LockOutput.Denied && !free ? Optional.of(state) : Optional.empty();
        }
        if (input instanceof LockInput.Release release) {
            boolean held = state.equals(new Plain(Optional.of(release.client()), release.token()));
            if (output instanceof LockOutput.Released && held) {
                return Optional.of(new Plain(Optional.empty(), state.token()));
            }
            return output instanceof LockOutput.NotHeld && !held ? Optional.of(state) : Optional.empty();
        }
        if (input instanceof LockInput.Expire expire) {
            boolean held = state.equals(new Plain(Optional.of(expire.client()), expire.token()));
            return output instanceof LockOutput.Expired && held
                    ? Optional.of(new Plain(Optional.empty(), state.token()))
                    : Optional.empty();
        }
        LockOutput seen = free ? LockOutput.Holder.NONE : new LockOutput.Holder(state.holder(), state.token());
        return output.equals(seen) ? Optional.of(state) : Optional.empty();
    }

    private static List<LockOutput> everyOutput() {
        List<LockOutput> outputs = new ArrayList<>(List.of(new LockOutput.Released(), new LockOutput.Expired()));
        for (long token = 1; token <= HIGHEST_TRIED; token++) {
            outputs.add(new LockOutput.Granted(token));
        }
        return outputs;
    }

    private static List<Operation<LockInput, LockOutput>> history(SplittableRandom random) {
        List<Operation<LockInput, LockOutput>> history = new ArrayList<>();
        int length = 1 + random.nextInt(6);
        for (int i = 0; i < length; i++) {
            long called = random.nextInt(12);
            long returned = called + random.nextInt(8);
            String client = random.nextBoolean() ? "a" : "b";
            long token = 1 + random.nextLong(HIGHEST_TOKEN);
            LockInput input = input(random.nextInt(6), client, token);
            history.add(
                    random.nextInt(4) == 0
                            ? Operation.ofUnknownOutcome("k", "p" + i, called, input)
                            : Operation.completed("k", "p" + i, called, returned, input, output(random, input)));
        }
        return history;
    }

    private static LockInput input(int kind, String client, long token) {
        return switch (kind) {
            case 0, 1, 2 -> new LockInput.TryAcquire(client);
            case 3 -> new LockInput.Release(client, token);
            case 4 -> new LockInput.Expire(client, token);
            default -> new LockInput.Read();
        };
    }

    private static LockOutput output(SplittableRandom random, LockInput input) {
        long token = 1 + random.nextLong(HIGHEST_TOKEN);
        boolean well = random.nextInt(3) > 0;
        if (input instanceof LockInput.TryAcquire) {
            return well ? new LockOutput.Granted(token) : new LockOutput.Denied();
        } else if (input instanceof LockInput.Release) {
            return random.nextBoolean() ? new LockOutput.Released() : new LockOutput.NotHeld();
        } else if (input instanceof LockInput.Expire) {
            return new LockOutput.Expired();
        }
        return well ? LockOutput.Holder.of(random.nextBoolean() ? "a" : "b", token) : LockOutput.Holder.NONE;
    }
}
