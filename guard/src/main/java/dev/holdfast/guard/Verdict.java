package dev.holdfast.guard;

/** A guard's decision about an access. */
public sealed interface Verdict {
    /**
     * It may enter.
     *
     * @param marks the marks to keep from now on, stored before anything else is done
     */
    record Entered(Marks marks, Entry entry) implements Verdict {
        @Override
        public Entered orRefuse(Access access) {
            return this;
        }
    }

    /** A later holder has entered. */
    record Stale(long highest) implements Verdict {
        @Override
        public Entered orRefuse(Access access) {
            throw new StaleTokenException(access, highest);
        }
    }

    /** A later write of the same grant has entered. */
    record OutOfOrder(long last) implements Verdict {
        @Override
        public Entered orRefuse(Access access) {
            throw new OutOfOrderException(access, last);
        }
    }

    /**
     * Throws the exception for a refusal.
     *
     * @throws GuardException if it may not enter
     */
    Entered orRefuse(Access access);
}
