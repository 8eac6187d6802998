package dev.holdfast.guard;

/** What a guard says to an access. */
public sealed interface Verdict {
    /**
     * It may enter.
     *
     * @param marks what is to be kept from now on, before anything else is done
     */
    record Entered(Marks marks, Entry entry) implements Verdict {}

    /** A later holder has been here. */
    record Stale(long highest) implements Verdict {}

    /** A later write of the same grant has been here. */
    record OutOfOrder(long last) implements Verdict {}

    /**
     * Turns a refusal of the access into its exception.
     *
     * @throws GuardException if it may not enter
     */
    default Entered orRefuse(Access access) {
        if (this instanceof Stale stale) {
            throw new StaleTokenException(access, stale.highest());
        }
        if (this instanceof OutOfOrder late) {
            throw new OutOfOrderException(access, late.last());
        }
        return (Entered) this;
    }
}
