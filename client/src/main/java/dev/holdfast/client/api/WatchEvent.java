package dev.holdfast.client.api;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that happened to one key. A grant of several keys is several events, all of one revision.
 *
 * @param holder the client whose grant or wait it is
 * @param token the fencing token of the grant; 0 for a waiter
 * @param permits how many permits of a semaphore; 0 for other locks
 * @param slots which ones; empty for a waiter
 * @param purpose for {@code GRANTED}, and for other kinds if previous values were requested
 * @param metadata for {@code GRANTED} and {@code DESCRIBED}, and for other kinds if previous values were requested
 * @param revision its place in the order of all events of the cluster
 * @param reason why something ended; empty for kinds that end nothing
 * @param detail for people: who took a grant by force, and why
 * @param at by the wall clock of the leader, for people: it may jump
 * @param previous the grant before this event, if that was requested and there was one; empty as well if the cluster's
 *     history no longer has the beginning of the grant, or if that is too far back
 * @param cursor where another watch could continue ({@link WatchCall#from(String)}): behind this event, or, while
 *     further events of its revision are to come, before that revision
 */
public record WatchEvent(
        Kind kind,
        String key,
        String holder,
        long token,
        boolean shared,
        int permits,
        Slots slots,
        String purpose,
        Metadata metadata,
        long revision,
        Optional<Reason> reason,
        String detail,
        Instant at,
        Optional<Previous> previous,
        String cursor) {

    /** What happened. */
    public enum Kind {
        GRANTED,
        ENDED,
        /** Upgraded or downgraded. */
        MODE_CHANGED,
        /** The holder changed its metadata. */
        DESCRIBED,
        QUEUED,
        /** Left the queue without the lock. */
        LEFT,
        /** The lock-delay after the loss of a holder has ended. */
        DELAY_ENDED,
        /** Something that this version of the client does not know. */
        OTHER
    }

    /** Why a grant or a wait ended. */
    public enum Reason {
        RELEASED,
        CANCELLED,
        WAIT_TIMEOUT,
        /** The lease ran out. */
        EXPIRED,
        /** The lease was ended. */
        REVOKED,
        MAX_HOLD,
        /** Taken by an operator. */
        FORCED,
        /** A backup was restored. */
        RESTORED,
        /** An upgrade was waiting, and its grant ended. */
        UPGRADED_GRANT_ENDED,
        OTHER
    }

    /** A grant as it was. */
    public record Previous(long token, boolean shared, String purpose, Metadata metadata) {}
}
