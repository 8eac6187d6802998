package dev.holdfast.guard;

/** What a guard says to an access. */
public sealed interface Verdict {
    /**
     * It may enter.
     *
     * @param marks what is to be kept from now on, before anything else is done
     */
    record Entered(Marks marks, Entry entry) implements Verdict {
        @Override
        public Entered orRefuse(Access access) {
            return this;
        }
    }

    /** A later holder has been here. */
    record Stale(long highest) implements Verdict {
        @Override
        public Entered orRefuse(Access access) {
            throw new StaleTokenException(access, highest);
        }
    }

    /** A later write of the same grant has been here. */
    record OutOfOrder(long last) implements Verdict {
        @Override
        public Entered orRefuse(Access access) {
            throw new OutOfOrderException(access, last);
        }
    }

    /**
     * Turns a refusal of the access into its exception.
     *
     * @throws GuardException if it may not enter
     */
    Entered orRefuse(Access access);
}
