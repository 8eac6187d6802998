package dev.holdfast.simulator.check;

import java.util.Optional;

/**
 * One thing that a process asked for, and what it saw.
 *
 * <p>It took effect at one moment between its call and its return. Times are of one clock that all processes share;
 * where one operation returns at the moment in which another is called, they count as overlapping.
 *
 * @param key operations on different keys have nothing to do with each other, and are checked apart
 * @param returned {@link #NEVER} if nobody knows when
 * @param output empty if the outcome is unknown: it may have taken effect at any time after its call, or never.
 *     What failed for certain has an output that says so.
 */
public record Operation<I, O>(String key, String process, long called, long returned, I input, Optional<O> output) {
    public static final long NEVER = Long.MAX_VALUE;

    public Operation {
        if (returned < called) {
            throw new IllegalArgumentException(process + ": returned at " + returned + ", before " + called);
        }
        if (output.isEmpty() && returned != NEVER) {
            throw new IllegalArgumentException(
                    process + ": an operation of unknown outcome may take effect after " + returned);
        }
    }

    public static <I, O> Operation<I, O> completed(
            String key, String process, long called, long returned, I input, O output) {
        return new Operation<>(key, process, called, returned, input, Optional.of(output));
    }

    public static <I, O> Operation<I, O> ofUnknownOutcome(String key, String process, long called, I input) {
        return new Operation<>(key, process, called, NEVER, input, Optional.empty());
    }

    @Override
    public String toString() {
        return "[" + called + ", " + (returned == NEVER ? "…" : Long.toString(returned)) + "] " + process + ": " + input
                + " -> " + output.map(Object::toString).orElse("?");
    }
}
