package dev.holdfast.transcript.step;

import dev.holdfast.core.Item;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Something done within a log entry: a renewal, or one command of the lock machine. */
public sealed interface Act {

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
    }

    /**
     * A client starts a lease and goes on under it.
     *
     * @param lease empty for an id that was never used
     */
    record OpenLease(String name, OptionalLong lease, Optional<String> principal, long ttlMillis, long lockDelayMillis)
            implements Act {}

    record RenewLease(Caller caller) implements OfLease {}

    record ExtendLease(Caller caller, long byMillis) implements OfLease {}

    record CloseLease(Caller caller) implements OfLease {}

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
    }

    /**
     * Shared becomes exclusive.
     *
     * @param token empty for what the client was granted last on that key
     */
    record Upgrade(Caller caller, LockKey key, OptionalLong token, Numbering numbering, long thread, long waitMillis)
            implements OfLease {}

    record Downgrade(Caller caller, LockKey key, OptionalLong token) implements OfLease {}

    record Describe(Caller caller, LockKey key, OptionalLong token, String metadata) implements OfLease {}

    /**
     * A grant is given back.
     *
     * @param token empty for what the client was granted last on that key
     */
    record Release(Caller caller, LockKey key, OptionalLong token, OptionalLong acknowledging) implements OfLease {}

    record CancelRequest(Caller caller, long number, OptionalLong acknowledging) implements OfLease {}

    /** Cancels the client's latest request that names the key. */
    record StopWaiting(Caller caller, LockKey key) implements OfLease {}

    /** An operator takes a grant away from its holder. */
    record Take(String operator, LockKey key, String holder, OptionalLong token, String reason) implements Act {}

    record SetLimit(Limit limit, long value) implements Act {}

    record RaiseFeatureLevel(int level) implements Act {}
}
