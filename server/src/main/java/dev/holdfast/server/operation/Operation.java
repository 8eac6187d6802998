package dev.holdfast.server.operation;

import dev.holdfast.server.access.Permission;

/**
 * Everything that clients and operators can ask of a node, and what each asks of them: the one table, whichever way a
 * request comes.
 *
 * <p>Passing the permission of an operation only means that there is some key the caller may do this with. Which keys,
 * and how large the fields may be, is in {@link CommandCheck} for commands and in {@link Questions} for questions.
 *
 * <p>Giving back needs no permission beyond having taken it, and is never limited.
 */
public enum Operation {
    // Locks.
    LOCK(Permission.LOCK),
    TRY_LOCK(Permission.LOCK),
    UPGRADE(Permission.LOCK),
    DESCRIBE(Permission.LOCK),
    DOWNGRADE(Permission.OWN),
    UNLOCK(Permission.OWN),
    CANCEL(Permission.OWN),

    // Leases.
    LEASE_GRANT(Permission.LOCK),
    LEASE_EXTEND(Permission.LOCK),
    LEASE_REVOKE(Permission.OWN),
    LEASE_KEEP_ALIVE(Permission.OWN),

    // Questions.
    PLAN(Permission.LOCK),
    EXPLAIN(Permission.LOCK),
    LEASE_TIME_TO_LIVE(Permission.LOCK),
    LEASE_LIST(Permission.LOCK),
    GET(Permission.READ),
    LIST(Permission.READ),
    HISTORY(Permission.READ),
    EXPLAIN_KEY(Permission.READ),

    // Streams; the messages of a session are operations themselves.
    WATCH(Permission.READ),
    SESSION(Permission.OWN),

    // For operators.
    STATUS(Permission.OBSERVE),
    MEMBER_LIST(Permission.OBSERVE),
    MEMBER_ADD(Permission.ADMIN),
    MEMBER_REMOVE(Permission.ADMIN),
    MEMBER_REPLACE(Permission.ADMIN),
    TRANSFER_LEADERSHIP(Permission.ADMIN),
    SNAPSHOT_SAVE(Permission.ADMIN),
    COMPACT(Permission.ADMIN),
    STATE_HASH(Permission.OBSERVE),
    LIMIT_LIST(Permission.OBSERVE),
    LIMIT_SET(Permission.ADMIN),
    FEATURE_LEVEL_RAISE(Permission.ADMIN),
    FORCE_RELEASE(Permission.FORCE);

    private final Permission permission;

    Operation(Permission permission) {
        this.permission = permission;
    }

    /** What it asks of its caller. */
    public Permission permission() {
        return permission;
    }

    /** Whether it counts against what the caller may ask in a second. */
    public boolean isCounted() {
        return permission != Permission.OWN;
    }

    /** Whether it is about the cluster, and not about locks and leases of the caller. */
    public boolean isForOperators() {
        return compareTo(STATUS) >= 0;
    }
}
