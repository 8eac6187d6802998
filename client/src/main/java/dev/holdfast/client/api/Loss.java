package dev.holdfast.client.api;

/**
 * How a grant was lost.
 *
 * @param detail for people: who took the lock away and why, if somebody did
 */
public record Loss(Reason reason, String detail) {
    /**
     * Why a grant was lost. A holder never loses its grant because of a deadlock: the request that would close a cycle
     * is refused.
     */
    public enum Reason {
        /**
         * No answer came in time: the deadline has passed here, and the cluster will give the lock to somebody else, or
         * already has.
         */
        UNREACHABLE,
        /** The cluster ended it: its lease or its maximum hold expired. */
        EXPIRED,
        /** Somebody took it away: by force, by ending the lease, or by restoring a backup. */
        REVOKED,
        /** This client was closed. */
        SESSION_CLOSED
    }
}
