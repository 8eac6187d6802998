package dev.holdfast.client.api;

/**
 * How a grant was lost.
 *
 * @param detail for people; who took it and why, if somebody did
 */
public record Loss(Reason reason, String detail) {
    /** Why a grant was lost. No holder is ever the victim of a deadlock: whoever would close a cycle is refused. */
    public enum Reason {
        /** No answer came in time: the deadline passed here, and the cluster will give the lock away or has. */
        UNREACHABLE,
        /** The cluster ended it: its lease or its longest hold ran out. */
        EXPIRED,
        /** Somebody took it: by force, by ending the lease, or by restoring a backup. */
        REVOKED,
        /** This client was closed. */
        SESSION_CLOSED
    }
}
