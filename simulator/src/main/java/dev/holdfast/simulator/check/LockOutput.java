package dev.holdfast.simulator.check;

import java.util.Optional;

/** What one exclusive lock answers. */
public sealed interface LockOutput {
    record Granted(long token) implements LockOutput {}

    /** Somebody holds it. */
    record Denied() implements LockOutput {}

    record Released() implements LockOutput {}

    /** That client does not hold it with that token. */
    record NotHeld() implements LockOutput {}

    record Expired() implements LockOutput {}

    /**
     * Who holds it.
     *
     * @param token 0 if nobody holds it
     */
    record Holder(Optional<String> client, long token) implements LockOutput {
        public static final Holder NONE = new Holder(Optional.empty(), 0);

        public static Holder of(String client, long token) {
            return new Holder(Optional.of(client), token);
        }
    }
}
