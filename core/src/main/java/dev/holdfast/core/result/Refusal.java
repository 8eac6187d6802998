package dev.holdfast.core.result;

/** Why a command was refused. */
public enum Refusal {
    /** Held, or older requests wait for it, and the caller would not wait. */
    LOCK_ALREADY_HELD(1),
    /** Waited as long as asked. */
    TIMEOUT(2),
    /** Waiting could never end. */
    DEADLOCK(3),
    LEASE_NOT_FOUND(4),
    /** The lease has ended; it is remembered for a while. */
    LEASE_ENDED(5),
    /** The id is taken, with another TTL or client id. */
    LEASE_EXISTS(6),
    /** The grant is not the caller's. */
    NOT_HOLDER(7),
    INVALID_ARGUMENT(8),
    QUOTA_EXCEEDED(9),
    CANCELLED(10),
    /** The answer was acknowledged and is forgotten: never executed again. */
    REQUEST_FORGOTTEN(11),
    /** Too many unacknowledged answers, or too large ones: acknowledge, then send the same request again. */
    WINDOW_FULL(12),
    /** The key is in use as a semaphore, as none, or as one of another capacity. */
    KIND_MISMATCH(13),
    /** The owner already holds or waits for a part of what it asks for. */
    PARTIAL_OVERLAP(14),
    /** The grant to be upgraded ended while the upgrade waited. */
    GRANT_ENDED(15);

    private final int id;

    Refusal(int id) {
        this.id = id;
    }

    /** What the codec writes: constants may be reordered but never renumbered. */
    public int id() {
        return id;
    }
}
