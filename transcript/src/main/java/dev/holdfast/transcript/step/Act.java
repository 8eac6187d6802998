package dev.holdfast.transcript.step;

import dev.holdfast.core.Item;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Something done within a log entry: a renewal, or one command of the lock machine. */
public sealed interface Act {
    /** Calls the case for this kind of act. */
    <R extends @Nullable Object> R match(Cases<R> cases);

    /** Who is answered. */
    String speaker();

    /**
     * Who acts, and under which lease.
     *
     * @param lease empty for the one opened last
     * @param principal empty for the one the client opened its lease as
     */
    record Caller(String name, OptionalLong lease, Optional<String> principal) {}

    /**
     * How a request is numbered.
     *
     * @param number empty for the next; 0 for a request without one
     * @param acknowledging empty for all that has been answered
     * @param answerLost the client never learns what came of it
     */
    record Numbering(OptionalLong number, OptionalLong acknowledging, boolean answerLost) {}

    /** Done by a client under a lease. */
    sealed interface OfLease extends Act {
        Caller caller();

        @Override
        default String speaker() {
            return caller().name();
        }
    }

    /**
     * A client starts a lease and goes on under it.
     *
     * @param lease empty for an id that was never used
     */
    record OpenLease(String name, OptionalLong lease, Optional<String> principal, long ttlMillis, long lockDelayMillis)
            implements Act {
        @Override
        public String speaker() {
            return name;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.openLease(this);
        }
    }

    record RenewLease(Caller caller) implements OfLease {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.renewLease(this);
        }
    }

    /** For longer, or at least for some time from now: one of them is 0. */
    record ExtendLease(Caller caller, long byMillis, long ttlMillis, OptionalLong number) implements OfLease {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.extendLease(this);
        }
    }

    record CloseLease(Caller caller) implements OfLease {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.closeLease(this);
        }
    }

    record Lock(
            Caller caller,
            List<Item> items,
            Numbering numbering,
            long owner,
            long thread,
            long waitMillis,
            long maxHoldMillis,
            boolean leaseCoversWait,
            String purpose,
            String metadata)
            implements OfLease {
        public Lock {
            items = List.copyOf(items);
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.lock(this);
        }
    }

    /**
     * Shared becomes exclusive.
     *
     * @param token empty for what the client was granted last on that key
     */
    record Upgrade(Caller caller, LockKey key, OptionalLong token, Numbering numbering, long thread, long waitMillis)
            implements OfLease {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.upgrade(this);
        }
    }

    record Downgrade(Caller caller, LockKey key, OptionalLong token) implements OfLease {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.downgrade(this);
        }
    }

    record Describe(Caller caller, LockKey key, OptionalLong token, String metadata) implements OfLease {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.describe(this);
        }
    }

    /**
     * A grant is given back.
     *
     * @param token empty for what the client was granted last on that key
     */
    record Release(Caller caller, LockKey key, OptionalLong token, OptionalLong acknowledging) implements OfLease {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.release(this);
        }
    }

    record CancelRequest(Caller caller, long number, OptionalLong acknowledging) implements OfLease {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.cancelRequest(this);
        }
    }

    /** Cancels the client's latest request that names the key. */
    record StopWaiting(Caller caller, LockKey key) implements OfLease {
        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.stopWaiting(this);
        }
    }

    /** An operator takes a grant away from its holder. */
    record Take(String operator, LockKey key, String holder, OptionalLong token, String reason) implements Act {
        @Override
        public String speaker() {
            return operator;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.take(this);
        }
    }

    record SetLimit(Limit limit, long value) implements Act {
        @Override
        public String speaker() {
            return OPERATOR;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.setLimit(this);
        }
    }

    record RaiseFeatureLevel(int level) implements Act {
        @Override
        public String speaker() {
            return OPERATOR;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.raiseFeatureLevel(this);
        }
    }

    /** Who changes settings. */
    String OPERATOR = "the operator";

    /** What to do with each kind: a new one does not compile until everybody has decided. */
    interface Cases<R extends @Nullable Object> {
        R openLease(OpenLease act);

        R renewLease(RenewLease act);

        R extendLease(ExtendLease act);

        R closeLease(CloseLease act);

        R lock(Lock act);

        R upgrade(Upgrade act);

        R downgrade(Downgrade act);

        R describe(Describe act);

        R release(Release act);

        R cancelRequest(CancelRequest act);

        R stopWaiting(StopWaiting act);

        R take(Take act);

        R setLimit(SetLimit act);

        R raiseFeatureLevel(RaiseFeatureLevel act);
    }
}
