package dev.holdfast.guard;

/**
 * Keeps those away from a resource who hold its lock no more.
 *
 * <p>An access passes unless one that excludes it has entered before with a higher token. Accesses exclude each other as
 * the grants do that they come from: an exclusive one and any other; permits of the same slot. So an exclusive access
 * fences out every older one; a shared one fences out older exclusive ones, and not the other readers; a permit is
 * fenced per slot. Equal tokens are the same grant and pass.
 *
 * <p>Entering comes before anything else under a token, reads included, and in one transaction with what it is for: what
 * was read after entering is not changed by an older holder any more.
 */
public interface FencingGuard {
    /**
     * Enters, within a transaction that the caller has begun and in which its access follows.
     *
     * <p>A guard in memory knows no such transaction. There use {@link #enter(Access, Body)}: between this method and
     * the access that follows, a later holder may come and go.
     *
     * @throws StaleTokenException if somebody has entered who got the lock later
     * @throws OutOfOrderException if it is a numbered write, and a later one has entered
     */
    Entry enter(Access access);

    /**
     * Enters and does something inside. Whoever got the lock later waits until it is done.
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
         * @param entry tells a repeated write, which must not be done again
         */
        T run(Entry entry) throws X;
    }
}
