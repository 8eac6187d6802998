package dev.holdfast.core.result;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.EndReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to one command. */
public sealed interface Result {

    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    Kind kind();

    /** Calls the case for this kind of result. */
    <R extends @Nullable Object> R match(Cases<R> cases);

    /** What may be remembered for a request id after the request has ended. */
    sealed interface Final extends Result {
        /** What an answer takes beside its texts and holds: its objects, and its place among those of its lease. */
        int FIXED_BYTES = 128;

        /** About how many bytes it takes, in memory or written: the same on every node. */
        int bytes();
    }

    /** How many members of a cycle a deadlock tells of at the most: nobody reads more, and they are remembered. */
    int CYCLE_SHOWN = 64;

    /**
     * The lease lives.
     *
     * @param endMillis when it ends in cluster time, as the client may count on it
     * @param asked what an extension asked for, as its command says it; 0 for a new lease
     */
    record LeaseGranted(long ttlMillis, long endMillis, long asked) implements Final {
        /** A lease that has just been started, or that was already there. */
        public LeaseGranted(long ttlMillis, long endMillis) {
            this(ttlMillis, endMillis, 0);
        }

        @Override
        public int bytes() {
            return FIXED_BYTES;
        }

        @Override
        public Kind kind() {
            return Kind.LEASE_GRANTED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.leaseGranted(this);
        }
    }

    record LeaseRevoked() implements Result {
        @Override
        public Kind kind() {
            return Kind.LEASE_REVOKED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.leaseRevoked(this);
        }
    }

    /**
     * The caller holds what it asked for.
     *
     * @param leaseEndMillis when the lease ends in cluster time unless renewed
     * @param holdEndMillis when the grant ends in cluster time even if renewed; 0 for never
     */
    record Granted(FencingToken token, List<Hold> holds, long leaseEndMillis, long holdEndMillis) implements Final {
        @Override
        public int bytes() {
            return bytes(holds);
        }

        /** What the answer for a grant of these takes. */
        public static int bytes(List<Hold> holds) {
            int bytes = FIXED_BYTES;
            for (Hold hold : holds) {
                bytes += hold.bytes();
            }
            return bytes;
        }

        @Override
        public Kind kind() {
            return Kind.GRANTED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.granted(this);
        }
    }

    /**
     * The request waits.
     *
     * @param revision its place: older requests have smaller ones
     * @param position how many requests on the key it waits for are before it
     * @param blockedOn the key it waits for
     * @param deadlockChecked false if the check was stopped by its bound
     */
    record Queued(long revision, int position, LockKey blockedOn, boolean deadlockChecked) implements Result {
        @Override
        public Kind kind() {
            return Kind.QUEUED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.queued(this);
        }
    }

    record Released(FencingToken token) implements Result {
        @Override
        public Kind kind() {
            return Kind.RELEASED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.released(this);
        }
    }

    /** The grant had ended before. */
    record AlreadyReleased() implements Result {
        @Override
        public Kind kind() {
            return Kind.ALREADY_RELEASED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.alreadyReleased(this);
        }
    }

    record Downgraded(FencingToken token, List<Hold> holds) implements Result {
        @Override
        public Kind kind() {
            return Kind.DOWNGRADED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.downgraded(this);
        }
    }

    record Described(FencingToken token) implements Result {
        @Override
        public Kind kind() {
            return Kind.DESCRIBED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.described(this);
        }
    }

    /** What the cancelled request was; its grant, if it had one, is released. */
    record Cancelled(Was was) implements Result {
        /** What a cancel found. */
        public enum Was {
            WAITING,
            GRANTED,
            /** It had already ended, with an answer that remains valid. */
            FINISHED,
            /** It has not arrived; when it does, it is refused. */
            UNKNOWN
        }

        @Override
        public Kind kind() {
            return Kind.CANCELLED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.cancelled(this);
        }
    }

    /** The request was granted once, and that grant has ended. */
    record Ended(FencingToken token, EndReason reason) implements Final {
        @Override
        public int bytes() {
            return FIXED_BYTES;
        }

        @Override
        public Kind kind() {
            return Kind.ENDED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.ended(this);
        }
    }

    /** A setting has its new value. */
    record Changed() implements Result {
        @Override
        public Kind kind() {
            return Kind.CHANGED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.changed(this);
        }
    }

    /**
     * Nothing changed.
     *
     * @param subject the field, limit or key the refusal is about
     * @param limit what was allowed; 0 where that has no meaning; for a deadlock whose cycle is not told whole, how
     *     many members are told
     * @param actual what was asked; 0 where that has no meaning; for such a deadlock, how many members there are
     * @param blockers who is in the way; for a deadlock, the cycle, or its first {@link #CYCLE_SHOWN} members
     */
    record Refused(Refusal code, String subject, long limit, long actual, List<Blocker> blockers) implements Final {
        public Refused {
            blockers = List.copyOf(blockers);
        }

        /** Any deadlock counts as the longest, and none is longer: which members a cycle has depends on where it was found. */
        private static final int DEADLOCK_BYTES = 64 * 1024;

        /** Waiting for a key would close this cycle. */
        public static Refused deadlock(LockKey key, List<Blocker> cycle, int members) {
            List<Blocker> told = cycle.subList(0, fitting(key, cycle));
            return told.size() == members
                    ? new Refused(Refusal.DEADLOCK, key.toString(), 0, 0, told)
                    : new Refused(Refusal.DEADLOCK, key.toString(), told.size(), members, told);
        }

        /** How many members take no more than a deadlock counts: where names may be very long, not all. */
        private static int fitting(LockKey key, List<Blocker> cycle) {
            int left = DEADLOCK_BYTES - FIXED_BYTES - key.toString().length();
            int members = 0;
            while (members < cycle.size() && left >= cycle.get(members).bytes()) {
                left -= cycle.get(members).bytes();
                members++;
            }
            return members;
        }

        @Override
        public int bytes() {
            if (code == Refusal.DEADLOCK) {
                return DEADLOCK_BYTES;
            }
            int bytes = FIXED_BYTES + subject.length();
            for (Blocker blocker : blockers) {
                bytes += blocker.bytes();
            }
            return bytes;
        }

        public Refused(Refusal code, String subject) {
            this(code, subject, 0, 0, List.of());
        }

        public Refused(Refusal code, String subject, long limit, long actual) {
            this(code, subject, limit, actual, List.of());
        }

        @Override
        public Kind kind() {
            return Kind.REFUSED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.refused(this);
        }
    }

    /**
     * Somebody in the way.
     *
     * @param token the token of the blocker's grant; 0 if it waits ahead
     */
    record Blocker(LockKey key, String clientId, long token) {
        private static final int FIXED_BYTES = 64;

        int bytes() {
            return FIXED_BYTES + key.length() + clientId.length();
        }
    }

    /** Every kind of result. */
    enum Kind {
        LEASE_GRANTED,
        LEASE_REVOKED,
        GRANTED,
        QUEUED,
        RELEASED,
        ALREADY_RELEASED,
        DOWNGRADED,
        DESCRIBED,
        CANCELLED,
        ENDED,
        CHANGED,
        REFUSED
    }

    /** What to do with each kind: a new one does not compile until everybody has decided. */
    interface Cases<R extends @Nullable Object> {
        R leaseGranted(LeaseGranted result);

        R leaseRevoked(LeaseRevoked result);

        R granted(Granted result);

        R queued(Queued result);

        R released(Released result);

        R alreadyReleased(AlreadyReleased result);

        R downgraded(Downgraded result);

        R described(Described result);

        R cancelled(Cancelled result);

        R ended(Ended result);

        R changed(Changed result);

        R refused(Refused result);
    }
}
