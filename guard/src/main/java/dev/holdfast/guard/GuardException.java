package dev.holdfast.guard;

/** A guard did not let an access through. Nothing was read or written. */
public abstract sealed class GuardException extends RuntimeException
        permits StaleTokenException, OutOfOrderException, GuardBusyException, GuardFullException {
    private final Access access;

    /** Every reason why a guard lets nobody through. */
    public enum Kind {
        STALE_TOKEN,
        OUT_OF_ORDER,
        GUARD_BUSY,
        GUARD_FULL
    }

    GuardException(Access access, String message) {
        super(message);
        this.access = access;
    }

    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    public abstract Kind kind();

    /** What was refused. */
    public Access access() {
        return access;
    }
}
