package dev.holdfast.core.command;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request to change the state.
 *
 * <p>Renewals are not commands: they travel as one vector of lease ids in the {@link dev.holdfast.core.command.Batch},
 * because they are most of a lock service's traffic.
 *
 * <p>{@code principal} is who was authenticated, empty where nobody is. Only the principal that started a lease can use
 * it; to others it does not exist.
 */
public sealed interface Command {

    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    Kind kind();

    /** Calls the case for this kind of command. */
    <R extends @Nullable Object> R match(Cases<R> cases);

    /** A command on behalf of a lease. */
    sealed interface OfLease extends Command {
        LeaseId lease();

        String principal();
    }

    /** Starts a lease. Idempotent: the same id, principal and TTL again is the same lease. */
    record GrantLease(LeaseId lease, String principal, String clientId, long ttlMillis, long lockDelayMillis)
            implements OfLease {
        @Override
        public Kind kind() {
            return Kind.GRANT_LEASE;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.grantLease(this);
        }
    }

    /**
     * Lets a lease live longer: by some time, which is an event that can be seen, or at least for some time from now,
     * which like a renewal is none, and can be repeated.
     *
     * @param additionalMillis by how much; 0 if {@code ttlMillis} is given
     * @param ttlMillis for how long from now at least; 0 if {@code additionalMillis} is given
     * @param requestId the same request again has the same; 0 for none. Only an extension by some time is remembered
     *     by it
     */
    record ExtendLease(LeaseId lease, String principal, long additionalMillis, long ttlMillis, long requestId)
            implements OfLease {

        /** An extension that is made as often as it is asked for. */
        public static ExtendLease by(LeaseId lease, String principal, long additionalMillis) {
            return new ExtendLease(lease, principal, additionalMillis, 0, 0);
        }

        /** What was asked for as one number, which another request does not have. */
        public long asked() {
            return ttlMillis == 0 ? additionalMillis : -ttlMillis;
        }

        @Override
        public Kind kind() {
            return Kind.EXTEND_LEASE;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.extendLease(this);
        }
    }

    /** Ends a lease, and with it all that it holds and waits for. */
    record RevokeLease(LeaseId lease, String principal) implements OfLease {
        @Override
        public Kind kind() {
            return Kind.REVOKE_LEASE;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.revokeLease(this);
        }
    }

    /**
     * Asks for a set of items, all or none.
     *
     * @param seq the request id within the lease, growing from 1; 0 for a request without one, whose identity is then
     *     (lease, key) and which may name one item only
     * @param ackedBelow every answer below this seq has reached the client
     * @param owner decides reentrancy within the lease; 0 for a fresh owner, which nothing reenters
     * @param actor decides who waits for whom, within the principal and client id; 0 for none
     * @param waitMillis 0 not to wait, {@link #WAIT_FOREVER} to wait as long as the lease lives
     * @param maxHoldMillis how long the grant may last at most; 0 for as long as the lease
     * @param leaseCoversWait the lease cannot be renewed while it waits, so it lasts through the wait and starts over
     *     at the grant
     */
    record Acquire(
            LeaseId lease,
            String principal,
            long seq,
            long ackedBelow,
            List<Item> items,
            long owner,
            long actor,
            long waitMillis,
            long maxHoldMillis,
            boolean leaseCoversWait,
            String purpose,
            Metadata metadata)
            implements OfLease {

        public Acquire {
            items = List.copyOf(items);
        }

        /** A request that neither waits nor carries anything beyond its items. */
        public static Acquire of(LeaseId lease, String principal, long seq, long ackedBelow, List<Item> items) {
            return new Acquire(lease, principal, seq, ackedBelow, items, 0, 0, 0, 0, false, "", Metadata.NONE);
        }

        public Acquire waiting(long millis) {
            return new Acquire(
                    lease,
                    principal,
                    seq,
                    ackedBelow,
                    items,
                    owner,
                    actor,
                    millis,
                    maxHoldMillis,
                    leaseCoversWait,
                    purpose,
                    metadata);
        }

        @Override
        public Kind kind() {
            return Kind.ACQUIRE;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.acquire(this);
        }
    }

    /** Turns every shared part of a grant into an exclusive one, ahead of all who wait. Gives a new token. */
    record Upgrade(
            LeaseId lease,
            String principal,
            long seq,
            long ackedBelow,
            LockKey key,
            long token,
            long actor,
            long waitMillis)
            implements OfLease {
        @Override
        public Kind kind() {
            return Kind.UPGRADE;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.upgrade(this);
        }
    }

    /** Turns every exclusive part of a grant into a shared one. Keeps the token. */
    record Downgrade(LeaseId lease, String principal, LockKey key, long token) implements OfLease {
        @Override
        public Kind kind() {
            return Kind.DOWNGRADE;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.downgrade(this);
        }
    }

    /** Gives a grant other metadata. Keeps the token. */
    record Describe(LeaseId lease, String principal, LockKey key, long token, Metadata metadata) implements OfLease {
        @Override
        public Kind kind() {
            return Kind.DESCRIBE;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.describe(this);
        }
    }

    /**
     * Gives a grant back.
     *
     * @param key any key of the grant: where to find it
     * @param token the grant; 0 for what (lease, key) holds or waits for by a request without an id
     */
    record Release(LeaseId lease, String principal, LockKey key, long token, long ackedBelow) implements OfLease {
        @Override
        public Kind kind() {
            return Kind.RELEASE;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.release(this);
        }
    }

    /** Ends a request, whatever became of it: waiting, granted, or not yet arrived. */
    record Cancel(LeaseId lease, String principal, long seq, long ackedBelow) implements OfLease {
        @Override
        public Kind kind() {
            return Kind.CANCEL;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.cancel(this);
        }
    }

    /** Takes a grant away from its holder: the operator's tool. */
    record ForceRelease(LockKey key, long token, String by, String reason) implements Command {
        @Override
        public Kind kind() {
            return Kind.FORCE_RELEASE;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.forceRelease(this);
        }
    }

    record SetLimit(Limit limit, long value) implements Command {
        @Override
        public Kind kind() {
            return Kind.SET_LIMIT;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.setLimit(this);
        }
    }

    /** Allows commands of a newer feature level, once every member supports it. */
    record RaiseFeatureLevel(int level) implements Command {
        @Override
        public Kind kind() {
            return Kind.RAISE_FEATURE_LEVEL;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.raiseFeatureLevel(this);
        }
    }

    /** {@code waitMillis}: as long as the lease lives. */
    long WAIT_FOREVER = -1;

    /** Every kind of command. */
    enum Kind {
        GRANT_LEASE,
        EXTEND_LEASE,
        REVOKE_LEASE,
        ACQUIRE,
        UPGRADE,
        DOWNGRADE,
        DESCRIBE,
        RELEASE,
        CANCEL,
        FORCE_RELEASE,
        SET_LIMIT,
        RAISE_FEATURE_LEVEL
    }

    /** What to do with each kind: a new one does not compile until everybody has decided. */
    interface Cases<R extends @Nullable Object> {
        R grantLease(GrantLease command);

        R extendLease(ExtendLease command);

        R revokeLease(RevokeLease command);

        R acquire(Acquire command);

        R upgrade(Upgrade command);

        R downgrade(Downgrade command);

        R describe(Describe command);

        R release(Release command);

        R cancel(Cancel command);

        R forceRelease(ForceRelease command);

        R setLimit(SetLimit command);

        R raiseFeatureLevel(RaiseFeatureLevel command);
    }
}
