package dev.holdfast.server.propose;

import java.util.function.LongSupplier;

/** What proposes, one step after the other: again when it is woken, and when the time is up that the step gave. */
public interface Proposing extends AutoCloseable {

    /**
     * Takes the first step soon.
     *
     * @param step gives how many nanoseconds may pass before the next
     */
    void start(LongSupplier step);

    /** Ends a pause. From any thread. */
    void wake();

    @Override
    void close();
}
