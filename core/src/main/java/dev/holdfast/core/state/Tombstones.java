package dev.holdfast.core.state;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Quota;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.index.LongIndex;
import org.jspecify.annotations.Nullable;

/**
 * Ended leases, remembered so that a late request of theirs is told so and a late grant is not
 * executed again.
 *
 * <p>A linked queue of immutable stones: a snapshot needs only remember its first and last.
 */
public final class Tombstones {
    private final Accounts accounts;
    private final LongIndex<Tombstone> byId;
    private @Nullable Tombstone oldest;
    private @Nullable Tombstone youngest;

    Tombstones(Accounts accounts, KeyedHash hash) {
        this.accounts = accounts;
        this.byId = new LongIndex<>(stone -> stone.id().value(), hash);
    }

    /** One ended lease. */
    public static final class Tombstone {
        private final LeaseId id;
        private final String principal;
        private final Account account;
        private final EndReason reason;
        private final long endedAtMillis;
        private @Nullable Tombstone younger;

        Tombstone(LeaseId id, String principal, Account account, EndReason reason, long endedAtMillis) {
            this.id = id;
            this.principal = principal;
            this.account = account;
            this.reason = reason;
            this.endedAtMillis = endedAtMillis;
        }

        public LeaseId id() {
            return id;
        }

        public String principal() {
            return principal;
        }

        public EndReason reason() {
            return reason;
        }

        public long endedAtMillis() {
            return endedAtMillis;
        }

        public @Nullable Tombstone younger() {
            return younger;
        }
    }

    public int size() {
        return byId.size();
    }

    public @Nullable Tombstone get(long id) {
        return byId.get(id);
    }

    public @Nullable Tombstone oldest() {
        return oldest;
    }

    public @Nullable Tombstone youngest() {
        return youngest;
    }

    void add(LeaseId id, String principal, Account account, EndReason reason, long endedAtMillis) {
        Tombstone stone = new Tombstone(id, principal, account, reason, endedAtMillis);
        if (youngest == null) {
            oldest = stone;
        } else {
            youngest.younger = stone;
        }
        youngest = stone;
        byId.add(stone);
        account.add(Quota.ENDED_LEASES, 1);
    }

    /** Forgets those that ended at or before this time, oldest first, {@code most} at the most. */
    void forget(long endedAtMillis, long most) {
        for (long i = 0; i < most && oldest != null && oldest.endedAtMillis <= endedAtMillis; i++) {
            byId.remove(oldest.id.value());
            oldest.account.add(Quota.ENDED_LEASES, -1);
            accounts.closeIfIdle(oldest.account);
            oldest = oldest.younger;
        }
        if (oldest == null) {
            youngest = null;
        }
    }
}
