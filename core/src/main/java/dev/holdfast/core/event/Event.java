package dev.holdfast.core.event;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Metadata;
import java.util.List;

/** One transition of the state. Each has a revision of its own. */
public sealed interface Event {
    long revision();

    /** Cluster time in milliseconds. */
    long at();

    /** The leader's wall clock in milliseconds, for people to read. */
    long wallMillis();

    /** A transition of locks, not of a lease. */
    sealed interface OfLocks extends Event {
        Party party();

        List<Hold> holds();
    }

    /**
     * Whose request it is.
     *
     * @param seq the request id; 0 for a request without one
     */
    record Party(LeaseId lease, String clientId, long seq) {}

    record LeaseStarted(long revision, long at, long wallMillis, LeaseId lease, String clientId, long ttlMillis)
            implements Event {}

    record LeaseExtended(
            long revision, long at, long wallMillis, LeaseId lease, String clientId, long ttlMillis, long endMillis)
            implements Event {}

    record LeaseEnded(long revision, long at, long wallMillis, LeaseId lease, String clientId, EndReason reason)
            implements Event {}

    /** A request joined the queue. */
    record Queued(long revision, long at, long wallMillis, Party party, List<Hold> holds) implements OfLocks {}

    /** A request left the queue without a grant. */
    record Left(long revision, long at, long wallMillis, Party party, List<Hold> holds, EndReason reason)
            implements OfLocks {}

    /**
     * A request holds what it asked for.
     *
     * @param queuedRevision its place in the queue; 0 if it did not wait
     */
    record Granted(
            long revision,
            long at,
            long wallMillis,
            Party party,
            List<Hold> holds,
            FencingToken token,
            long queuedRevision,
            long leaseEndMillis,
            long holdEndMillis,
            String purpose,
            Metadata metadata)
            implements OfLocks {}

    /**
     * A grant ended.
     *
     * @param detail who took it and why, where an operator did
     */
    record Released(
            long revision,
            long at,
            long wallMillis,
            Party party,
            List<Hold> holds,
            FencingToken token,
            EndReason reason,
            String detail)
            implements OfLocks {}

    /**
     * A grant became shared or exclusive.
     *
     * @param seq the upgrade's request id; 0 for a downgrade
     */
    record ModeChanged(
            long revision,
            long at,
            long wallMillis,
            Party party,
            List<Hold> holds,
            FencingToken token,
            FencingToken previousToken,
            long seq)
            implements OfLocks {}

    /** A grant got other metadata. */
    record Described(
            long revision,
            long at,
            long wallMillis,
            Party party,
            List<Hold> holds,
            FencingToken token,
            Metadata metadata)
            implements OfLocks {}

    /** Keys that a lost holder had kept closed are open again. */
    record DelayEnded(long revision, long at, long wallMillis, Party party, List<Hold> holds) implements OfLocks {}
}
