package dev.holdfast.guard;

import java.time.Duration;

/** An older access did not leave in time. The access may be retried: from now on no more older accesses get in. */
public final class GuardBusyException extends GuardException {
    public GuardBusyException(Access access, Duration patience) {
        super(
                access,
                "an access with an older token than " + access.token() + " is still inside key '" + access.key()
                        + "' after " + patience);
    }

    @Override
    public Kind kind() {
        return Kind.GUARD_BUSY;
    }
}
