package dev.holdfast.guard;

/**
 * Keeps those who no longer hold a resource's lock away from the resource.
 *
 * <p>An access passes unless one that excludes it has entered before with a higher token. Accesses exclude each other
 * as their grants do: an exclusive one and any other; permits of the same slot. So an exclusive access fences out every
 * older one; a shared one fences out older exclusive ones, and not the other readers; a permit is fenced per slot.
 * Equal tokens are the same grant and pass.
 *
 * <p>Enter before doing anything else under a token, even before reading, and in one transaction with the access
 * itself: an older holder can then no longer change what was read after entering.
 */
public interface FencingGuard {
    /**
     * Enters, within a transaction that the caller has started and that also contains its access.
     *
     * <p>A guard in memory has no such transaction. Use {@link #enter(Access, Body)} there: between this method and the
     * access that follows, a later holder may come and go.
     *
     * @throws StaleTokenException if somebody has entered who got the lock later
     * @throws OutOfOrderException if it is a numbered write, and a later one has entered
     */
    Entry enter(Access access);

    /**
     * Enters and does something inside. Later holders of the lock wait until it is done.
     *
     * @throws StaleTokenException if somebody has entered who got the lock later; then nothing is done
     * @throws OutOfOrderException if it is a numbered write, and a later one has entered; then nothing is done
     * @throws X whatever the body throws
     */
    default <T, X extends Exception> T enter(Access access, Body<T, X> body) throws X {
        return body.run(enter(access));
    }

    /** What is done inside. */
    @FunctionalInterface
    interface Body<T, X extends Exception> {
        /**
         * Does it.
         *
         * @param entry says whether this is a repeated write, which must not be done again
         */
        T run(Entry entry) throws X;
    }
}
