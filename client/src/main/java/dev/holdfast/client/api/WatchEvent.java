package dev.holdfast.client.api;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Something that happened to one key. A grant of several keys is several events, all of one revision.
 *
 * @param holder the client whose grant or wait it is
 * @param token the fencing token of the grant; 0 for one who waits
 * @param slot which permit of a semaphore, from 0; empty for other locks
 * @param purpose with the kinds {@code GRANTED}, and others if previous values were asked for
 * @param metadata with the kinds {@code GRANTED} and {@code DESCRIBED}, and others if previous values were asked for
 * @param revision its place among all that happened in the cluster
 * @param reason why something ended; empty for the kinds that are no end
 * @param detail for people: who took a grant by force, and why
 * @param at by the clock of the leader, for people: it may jump
 * @param previous the grant before this event, if that was asked for and there was one
 */
public record WatchEvent(
        Kind kind,
        String key,
        String holder,
        long token,
        boolean shared,
        OptionalInt slot,
        String purpose,
        Metadata metadata,
        long revision,
        Optional<Reason> reason,
        String detail,
        Instant at,
        Optional<Previous> previous) {

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
        /** The key is open again after its holder was lost. */
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
        /** It waited for more of a grant, which ended. */
        UPGRADED_GRANT_ENDED,
        OTHER
    }

    /** A grant as it was. */
    public record Previous(long token, boolean shared, String purpose, Metadata metadata) {}
}
