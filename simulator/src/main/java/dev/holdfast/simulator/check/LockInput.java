package dev.holdfast.simulator.check;

/** What can be asked of one exclusive lock, or can happen to it. */
public sealed interface LockInput {
    /** Asks for the lock without waiting. */
    record TryAcquire(String client) implements LockInput {}

    /** Gives back the grant of that token. */
    record Release(String client, long token) implements LockInput {}

    /** Asks who holds it. */
    record Read() implements LockInput {}

    /** The grant of that token ends because its lease has: an event that nobody called for. */
    record Expire(String client, long token) implements LockInput {}
}
