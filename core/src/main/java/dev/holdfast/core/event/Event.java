package dev.holdfast.core.event;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Metadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One transition of the state. Each has a revision of its own. */
public sealed interface Event {
    long revision();

    /** Cluster time in milliseconds. */
    long at();

    /** The leader's wall clock in milliseconds, for people to read. */
    long wallMillis();

    /** Whose it is. */
    LeaseId lease();

    /** About how many bytes it takes, in memory or written: the same on every node. */
    int bytes();

    /** What an event takes beside its texts and holds: its objects, and its place in the history. */
    int FIXED_BYTES = 128;

    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    Kind kind();

    /** Calls the case for this kind of event. */
    <R extends @Nullable Object> R match(Cases<R> cases);

    /** A transition of locks, not of a lease. */
    sealed interface OfLocks extends Event {
        Party party();

        List<Hold> holds();

        /** How much of it are texts that only this kind of event has. */
        default int textBytes() {
            return 0;
        }

        @Override
        default int bytes() {
            int bytes = FIXED_BYTES + party().clientId().length() + textBytes();
            for (Hold hold : holds()) {
                bytes += hold.bytes();
            }
            return bytes;
        }

        @Override
        default LeaseId lease() {
            return party().lease();
        }

        /** Calls the case for this kind of event. */
        <R extends @Nullable Object> R match(LockCases<R> cases);

        @Override
        default <R extends @Nullable Object> R match(Cases<R> cases) {
            return match((LockCases<R>) cases);
        }
    }

    /**
     * Whose request it is.
     *
     * @param seq the request id; 0 for a request without one
     */
    record Party(LeaseId lease, String clientId, long seq) {}

    record LeaseStarted(long revision, long at, long wallMillis, LeaseId lease, String clientId, long ttlMillis)
            implements Event {
        @Override
        public Kind kind() {
            return Kind.LEASE_STARTED;
        }

        @Override
        public int bytes() {
            return FIXED_BYTES + clientId.length();
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.leaseStarted(this);
        }
    }

    record LeaseExtended(
            long revision, long at, long wallMillis, LeaseId lease, String clientId, long ttlMillis, long endMillis)
            implements Event {
        @Override
        public Kind kind() {
            return Kind.LEASE_EXTENDED;
        }

        @Override
        public int bytes() {
            return FIXED_BYTES + clientId.length();
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.leaseExtended(this);
        }
    }

    record LeaseEnded(long revision, long at, long wallMillis, LeaseId lease, String clientId, EndReason reason)
            implements Event {
        @Override
        public Kind kind() {
            return Kind.LEASE_ENDED;
        }

        @Override
        public int bytes() {
            return FIXED_BYTES + clientId.length();
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.leaseEnded(this);
        }
    }

    /** A request joined the queue. */
    record Queued(long revision, long at, long wallMillis, Party party, List<Hold> holds) implements OfLocks {
        @Override
        public Kind kind() {
            return Kind.QUEUED;
        }

        @Override
        public <R extends @Nullable Object> R match(LockCases<R> cases) {
            return cases.queued(this);
        }
    }

    /** A request left the queue without a grant. */
    record Left(long revision, long at, long wallMillis, Party party, List<Hold> holds, EndReason reason)
            implements OfLocks {
        @Override
        public Kind kind() {
            return Kind.LEFT;
        }

        @Override
        public <R extends @Nullable Object> R match(LockCases<R> cases) {
            return cases.left(this);
        }
    }

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
            implements OfLocks {
        @Override
        public Kind kind() {
            return Kind.GRANTED;
        }

        @Override
        public int textBytes() {
            return purpose.length() + metadata.length();
        }

        @Override
        public <R extends @Nullable Object> R match(LockCases<R> cases) {
            return cases.granted(this);
        }
    }

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
            implements OfLocks {
        @Override
        public Kind kind() {
            return Kind.RELEASED;
        }

        @Override
        public int textBytes() {
            return detail.length();
        }

        @Override
        public <R extends @Nullable Object> R match(LockCases<R> cases) {
            return cases.released(this);
        }
    }

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
            implements OfLocks {
        @Override
        public Kind kind() {
            return Kind.MODE_CHANGED;
        }

        @Override
        public <R extends @Nullable Object> R match(LockCases<R> cases) {
            return cases.modeChanged(this);
        }
    }

    /** A grant got other metadata. */
    record Described(
            long revision,
            long at,
            long wallMillis,
            Party party,
            List<Hold> holds,
            FencingToken token,
            Metadata metadata)
            implements OfLocks {
        @Override
        public Kind kind() {
            return Kind.DESCRIBED;
        }

        @Override
        public int textBytes() {
            return metadata.length();
        }

        @Override
        public <R extends @Nullable Object> R match(LockCases<R> cases) {
            return cases.described(this);
        }
    }

    /** The lock-delay of a lost holder's keys has ended. */
    record DelayEnded(long revision, long at, long wallMillis, Party party, List<Hold> holds) implements OfLocks {
        @Override
        public Kind kind() {
            return Kind.DELAY_ENDED;
        }

        @Override
        public <R extends @Nullable Object> R match(LockCases<R> cases) {
            return cases.delayEnded(this);
        }
    }

    /** Every kind of event. */
    enum Kind {
        LEASE_STARTED,
        LEASE_EXTENDED,
        LEASE_ENDED,
        QUEUED,
        LEFT,
        GRANTED,
        RELEASED,
        MODE_CHANGED,
        DESCRIBED,
        DELAY_ENDED
    }

    /** What to do with each kind of event of locks. */
    interface LockCases<R extends @Nullable Object> {
        R queued(Queued event);

        R left(Left event);

        R granted(Granted event);

        R released(Released event);

        R modeChanged(ModeChanged event);

        R described(Described event);

        R delayEnded(DelayEnded event);
    }

    /** What to do with each kind: a new one does not compile until everybody has decided. */
    interface Cases<R extends @Nullable Object> extends LockCases<R> {
        R leaseStarted(LeaseStarted event);

        R leaseExtended(LeaseExtended event);

        R leaseEnded(LeaseEnded event);
    }
}
