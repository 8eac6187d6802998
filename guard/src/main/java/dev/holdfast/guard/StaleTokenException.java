package dev.holdfast.guard;

/** Somebody who got the lock later has been here: stop the work, whatever it was based on may have changed. */
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

    /** The highest token that has entered and cannot be held together with the refused one. */
    public long highest() {
        return highest;
    }

    @Override
    public Kind kind() {
        return Kind.STALE_TOKEN;
    }
}
