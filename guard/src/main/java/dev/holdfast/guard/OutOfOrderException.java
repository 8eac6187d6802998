package dev.holdfast.guard;

/** A numbered write came after a later one of the same grant: it was overtaken, or is a late repetition. */
public final class OutOfOrderException extends GuardException {
    private final long last;

    public OutOfOrderException(Access access, long last) {
        super(
                access,
                "write " + access.sequence() + " of token " + access.token() + " for key '" + access.key()
                        + "' comes too late: write " + last + " has entered");
        this.last = last;
    }

    /** The highest number that has entered. */
    public long last() {
        return last;
    }

    @Override
    public Kind kind() {
        return Kind.OUT_OF_ORDER;
    }
}
