package dev.holdfast.guard;

/** A later holder of the lock has entered: stop the work; what it was based on may have changed. */
public final class StaleTokenException extends GuardException {
    private final long highest;

    public StaleTokenException(Access access, long highest) {
        super(
                access,
                "stale token for key '" + access.key() + "': " + access.token() + " was presented, " + highest
                        + " has entered");
        this.highest = highest;
    }

    public String key() {
        return access().key();
    }

    /** The token that was refused. */
    public long presented() {
        return access().token();
    }

    /** The highest token that has entered and excludes the refused one. */
    public long highest() {
        return highest;
    }

    @Override
    public Kind kind() {
        return Kind.STALE_TOKEN;
    }
}
