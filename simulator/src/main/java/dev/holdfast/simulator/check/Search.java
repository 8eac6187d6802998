package dev.holdfast.simulator.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The search of Wing and Gong, with Lowe's memory, for an order that explains the operations on one key.
 *
 * <p>Depth first: take an operation that time allows and whose output the model allows, and go on from the state
 * after it; where none is left to take, put the last one back and try another. Which operations have been taken and
 * the state together decide all that can follow, so a pair seen before is not tried again. It keeps its own stack:
 * histories are longer than a thread's.
 */
final class Search<S, I, O> {
    /**
     * What decides all that can follow. Operations are mostly taken in the order of their calls, so counting the
     * first ones keeps this small however long the history is.
     *
     * @param first how many of the first that have an outcome are taken
     * @param ahead which of those behind the next are taken too
     * @param unknown which of those of unknown outcome are taken
     */
    private record Configuration(int first, BitSet ahead, BitSet unknown, Object state) {}

    /** @param choice which of the states that the operation may lead to was taken */
    private record Frame<S>(Timeline.Moment call, S before, int choice, S after) {}

    private final Model<S, I, O> model;
    private final String key;
    /** Those that have an outcome, by their calls; then the others. */
    private final List<Operation<I, O>> operations;

    private final int explicable;
    private final long mostSteps;

    private final Timeline timeline;
    private final BitSet taken = new BitSet();
    private final Set<Configuration> seen = new HashSet<>();
    private final Deque<Frame<S>> stack = new ArrayDeque<>();
    private S state;
    private int toExplain;
    private long steps;

    private int fewestLeft = Integer.MAX_VALUE;
    private List<Verdict.Step> longest = List.of();
    private List<Operation<?, ?>> blocked = List.of();

    Search(Model<S, I, O> model, String key, List<Operation<I, O>> operations, long mostSteps) {
        this.model = model;
        this.key = key;
        this.operations = new ArrayList<>(operations);
        this.operations.sort(Comparator.<Operation<I, O>, Boolean>comparing(
                        operation -> operation.output().isEmpty())
                .thenComparingLong(Operation::called));
        this.mostSteps = mostSteps;
        timeline = new Timeline(this.operations);
        state = model.initial();
        explicable = (int) operations.stream()
                .filter(operation -> operation.output().isPresent())
                .count();
        toExplain = explicable;
    }

    Verdict run() {
        Timeline.@Nullable Moment call = next();
        while (toExplain > 0) {
            if (++steps > mostSteps) {
                return new Verdict.Unknown(key, mostSteps);
            }
            if (call != null) {
                boolean idle = isIdle(call);
                call = take(call, 0) ? next() : idle ? null : timeline.candidateAfter(call);
                continue;
            }
            // Some operation returned before all others were called, and nothing more can be taken: a dead end.
            rememberLongest();
            Frame<S> last = stack.poll();
            if (last == null) {
                return new Verdict.NotLinearizable(key, operations.size(), longest, blocked);
            }
            putBack(last);
            if (isIdle(last.call())) {
                continue;
            }
            call = take(last.call(), last.choice() + 1) ? next() : timeline.candidateAfter(last.call());
        }
        return new Verdict.Linearizable(steps);
    }

    /**
     * What to try first: one that changes nothing, if there is one. Whatever can come before it can as well come after
     * it, so that where it leads nowhere, nothing else does. That saves trying all orders of reads.
     */
    private Timeline.@Nullable Moment next() {
        Timeline.Moment first = timeline.firstCandidate();
        for (Timeline.Moment call = first; call != null; call = timeline.candidateAfter(call)) {
            if (isIdle(call)) {
                return call;
            }
        }
        return first;
    }

    private boolean isIdle(Timeline.Moment call) {
        Operation<I, O> operation = operations.get(call.operation);
        return operation
                .output()
                .flatMap(output -> model.step(state, operation.input(), output))
                .filter(state::equals)
                .isPresent();
    }

    /** Takes an operation if it leads to something new; {@code choice} is the first of its states to try. */
    private boolean take(Timeline.Moment call, int choice) {
        Operation<I, O> operation = operations.get(call.operation);
        List<S> states = statesAfter(operation);
        taken.set(call.operation);
        for (int i = choice; i < states.size(); i++) {
            S after = states.get(i);
            if (seen.add(configuration(after))) {
                stack.push(new Frame<>(call, state, i, after));
                timeline.takeOut(call);
                state = after;
                toExplain -= operation.output().isPresent() ? 1 : 0;
                return true;
            }
        }
        taken.clear(call.operation);
        return false;
    }

    private Configuration configuration(S after) {
        int first = Math.min(taken.nextClearBit(0), explicable);
        return new Configuration(first, taken.get(first, explicable), taken.get(explicable, operations.size()), after);
    }

    private void putBack(Frame<S> frame) {
        int operation = frame.call().operation;
        timeline.putBack(frame.call());
        taken.clear(operation);
        state = frame.before();
        toExplain += operations.get(operation).output().isPresent() ? 1 : 0;
    }

    private List<S> statesAfter(Operation<I, O> operation) {
        return operation
                .output()
                .map(output ->
                        model.step(state, operation.input(), output).stream().toList())
                .orElseGet(() -> model.stepOfUnknownOutcome(state, operation.input()));
    }

    /** Only called where the search turns back, so that a history without detours copies nothing. */
    private void rememberLongest() {
        if (toExplain >= fewestLeft) {
            return;
        }
        fewestLeft = toExplain;
        longest = new ArrayList<>(stack.size());
        for (Iterator<Frame<S>> frames = stack.descendingIterator(); frames.hasNext(); ) {
            Frame<S> frame = frames.next();
            longest.add(new Verdict.Step(operations.get(frame.call().operation), String.valueOf(frame.after())));
        }
        blocked = new ArrayList<>();
        timeline.candidates().forEach(candidate -> blocked.add(operations.get(candidate)));
    }
}
