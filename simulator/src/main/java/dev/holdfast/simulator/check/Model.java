package dev.holdfast.simulator.check;

import java.util.List;
import java.util.Optional;

/**
 * What one key is allowed to do, one operation at a time.
 *
 * @param <S> its state: immutable, with {@code equals} and {@code hashCode}, for states that are equal are searched
 *     once; its {@code toString} is what a failure shows
 */
public interface Model<S, I, O> {
    S initial();

    /** The state after an operation with that output; empty if it cannot have that output in this state. */
    Optional<S> step(S state, I input, O output);

    /**
     * The states that an operation of unknown outcome may lead to if it takes effect, whatever its output was.
     * That it never took effect is tried in any case, so a state equal to the given one may be left out.
     */
    List<S> stepOfUnknownOutcome(S state, I input);
}
