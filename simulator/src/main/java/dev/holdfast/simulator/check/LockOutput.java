package dev.holdfast.simulator.check;

import java.util.Optional;

/** What one exclusive lock answers. */
public sealed interface LockOutput {
    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    Kind kind();

    /** Every kind of output. */
    enum Kind {
        GRANTED,
        DENIED,
        RELEASED,
        NOT_HELD,
        EXPIRED,
        HOLDER
    }

    record Granted(long token) implements LockOutput {
        @Override
        public Kind kind() {
            return Kind.GRANTED;
        }
    }

    /** Somebody holds it. */
    record Denied() implements LockOutput {
        @Override
        public Kind kind() {
            return Kind.DENIED;
        }
    }

    record Released() implements LockOutput {
        @Override
        public Kind kind() {
            return Kind.RELEASED;
        }
    }

    /** That client does not hold it with that token. */
    record NotHeld() implements LockOutput {
        @Override
        public Kind kind() {
            return Kind.NOT_HELD;
        }
    }

    record Expired() implements LockOutput {
        @Override
        public Kind kind() {
            return Kind.EXPIRED;
        }
    }

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

        @Override
        public Kind kind() {
            return Kind.HOLDER;
        }
    }
}
