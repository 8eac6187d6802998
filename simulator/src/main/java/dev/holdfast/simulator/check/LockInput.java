package dev.holdfast.simulator.check;

/** What can be asked of one exclusive lock, or can happen to it. */
public sealed interface LockInput {
    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    Kind kind();

    /** Every kind of input. */
    enum Kind {
        TRY_ACQUIRE,
        RELEASE,
        READ,
        EXPIRE
    }

    /** Asks for the lock without waiting. */
    record TryAcquire(String client) implements LockInput {
        @Override
        public Kind kind() {
            return Kind.TRY_ACQUIRE;
        }
    }

    /** Gives back the grant of that token. */
    record Release(String client, long token) implements LockInput {
        @Override
        public Kind kind() {
            return Kind.RELEASE;
        }
    }

    /** Asks who holds it. */
    record Read() implements LockInput {
        @Override
        public Kind kind() {
            return Kind.READ;
        }
    }

    /** The grant of that token ends because its lease has: an event that nobody called for. */
    record Expire(String client, long token) implements LockInput {
        @Override
        public Kind kind() {
            return Kind.EXPIRE;
        }
    }
}
