package dev.holdfast.guard;

/** A guard did not let an access through. Nothing was read or written. */
public abstract sealed class GuardException extends RuntimeException
        permits StaleTokenException, OutOfOrderException, GuardBusyException, GuardFullException {
    private final Access access;

    GuardException(Access access, String message) {
        super(message);
        this.access = access;
    }

    /** What was refused. */
    public Access access() {
        return access;
    }
}
