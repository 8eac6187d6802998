package dev.holdfast.core.event;

/** Why a lease, a hold or a wait ended. */
public enum EndReason {
    RELEASED(1),
    CANCELLED(2),
    /** The wait lasted as long as the caller had asked. */
    TIMEOUT(3),
    LEASE_EXPIRED(4),
    LEASE_REVOKED(5),
    /** The hold lasted as long as the caller had allowed. */
    MAX_HOLD(6),
    /** An operator took it. */
    FORCED(7),
    /** The state was restored from a backup. */
    RESTORED(8),
    /** The upgrade's grant ended, and the upgrade with it. */
    GRANT_ENDED(9);

    private final int id;

    EndReason(int id) {
        this.id = id;
    }

    /** What the codec writes: constants may be reordered but never renumbered. */
    public int id() {
        return id;
    }

    /** Whether a holder may not know yet that it lost the lock: only then does a lock-delay apply. */
    public boolean isLoss() {
        return this == LEASE_EXPIRED || this == MAX_HOLD;
    }
}
