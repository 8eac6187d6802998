package dev.holdfast.guard;

/** The guard has reached its limit of keys: raise the limit, or guard fewer keys. Marks are never forgotten. */
public final class GuardFullException extends GuardException {
    public GuardFullException(Access access, int limit) {
        super(access, "no room to guard key '" + access.key() + "': the limit is " + limit + " keys");
    }

    @Override
    public Kind kind() {
        return Kind.GUARD_FULL;
    }
}
