package dev.holdfast.simulator.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says whether a history is linearizable: whether every operation can be given one moment between its call and its
 * return, such that in the order of these moments each output is what the {@link Model} allows.
 *
 * <p>A history is linearizable iff its part on every key is, so keys are searched one by one.
 */
public final class LinearizabilityChecker<S, I, O> {
    /** Some 200 MB in the worst case, and a few seconds. */
    public static final long DEFAULT_MAX_STEPS = 1_000_000;

    private final Model<S, I, O> model;
    private final long mostSteps;

    public LinearizabilityChecker(Model<S, I, O> model) {
        this(model, DEFAULT_MAX_STEPS);
    }

    /** @param mostSteps how much may be tried for one key before the answer is {@link Verdict.Unknown} */
    public LinearizabilityChecker(Model<S, I, O> model, long mostSteps) {
        this.model = model;
        this.mostSteps = mostSteps;
    }

    /** The first key that is wrong decides; else the first one that was given up. */
    public Verdict check(List<Operation<I, O>> history) {
        Map<String, List<Operation<I, O>>> byKey = new TreeMap<>();
        for (Operation<I, O> operation : history) {
            byKey.computeIfAbsent(operation.key(), key -> new ArrayList<>()).add(operation);
        }
        List<Verdict> givenUp = new ArrayList<>();
        long steps = 0;
        for (Map.Entry<String, List<Operation<I, O>>> part : byKey.entrySet()) {
            Verdict verdict = new Search<>(model, part.getKey(), part.getValue(), mostSteps).run();
            switch (verdict.kind()) {
                case NOT_LINEARIZABLE -> {
                    return verdict;
                }
                case UNKNOWN -> givenUp.add(verdict);
                case LINEARIZABLE -> steps += ((Verdict.Linearizable) verdict).steps();
            }
        }
        return givenUp.isEmpty() ? new Verdict.Linearizable(steps) : givenUp.get(0);
    }
}
