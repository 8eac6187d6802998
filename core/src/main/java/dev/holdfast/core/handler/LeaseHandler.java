package dev.holdfast.core.handler;

import dev.holdfast.core.Limit;
import dev.holdfast.core.Quota;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Account;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.LeaseEnds;
import dev.holdfast.core.state.Ledger;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Tombstones;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Starts, renews, extends and ends leases, and says why a lease cannot be used. */
public final class LeaseHandler {
    /** Look-ups that do not depend on each other let the processor wait for several cache misses at once. */
    private static final int LOOK_UPS_AT_ONCE = 64;

    private final State state;
    private final Ledger ledger;
    private final LeaseEnds ends;
    private final ExactlyOnce once;
    private final Quotas quotas;

    LeaseHandler(State state, Ledger ledger, LeaseEnds ends, ExactlyOnce once) {
        this.state = state;
        this.ledger = ledger;
        this.ends = ends;
        this.once = once;
        this.quotas = new Quotas(state);
    }

    /** The lease that a command speaks for; null if it is not there for this caller. */
    @Nullable
    Lease find(Command.OfLease command) {
        Lease lease = state.lease(command.lease());
        return lease != null && lease.principal().equals(command.principal()) && !lease.isDueAt(state.now())
                ? lease
                : null;
    }

    /** Why {@link #find} found nothing. */
    Result.Refused notFound(Command.OfLease command) {
        Lease doomed = state.lease(command.lease());
        Tombstones.Tombstone ended = state.tombstones().get(command.lease().value());
        boolean wasTheirs = (doomed != null && doomed.principal().equals(command.principal()))
                || (ended != null && ended.principal().equals(command.principal()));
        return new Result.Refused(wasTheirs ? Refusal.LEASE_ENDED : Refusal.LEASE_NOT_FOUND, "lease");
    }

    /**
     * Renews leases.
     *
     * @param before the cluster time before this entry: a lease that was due then is past renewal
     * @return for each its end, or {@link Applied#NOT_RENEWED}
     */
    public long[] renew(long[] ids, long before) {
        long[] ends = new long[ids.length];
        @Nullable Lease[] found = new @Nullable Lease[Math.min(ids.length, LOOK_UPS_AT_ONCE)];
        for (int from = 0; from < ids.length; from += LOOK_UPS_AT_ONCE) {
            int count = Math.min(LOOK_UPS_AT_ONCE, ids.length - from);
            for (int i = 0; i < count; i++) {
                found[i] = state.lease(ids[from + i]);
            }
            for (int i = 0; i < count; i++) {
                ends[from + i] = renew(found[i], before);
            }
        }
        return ends;
    }

    private long renew(@Nullable Lease lease, long before) {
        if (lease == null || lease.isDueAt(before)) {
            return Applied.NOT_RENEWED;
        }
        ledger.renew(lease);
        return lease.endMillis();
    }

    Result grant(Command.GrantLease command) {
        Lease lease = state.lease(command.lease());
        if (lease != null) {
            return again(lease, command);
        }
        Tombstones.Tombstone ended = state.tombstones().get(command.lease().value());
        if (ended != null) {
            boolean same = ended.principal().equals(command.principal());
            return new Result.Refused(same ? Refusal.LEASE_ENDED : Refusal.LEASE_EXISTS, "lease");
        }
        Result.Refused refused = check(command);
        if (refused != null) {
            return refused;
        }
        Lease started = ledger.startLease(command);
        return new Result.LeaseGranted(started.totalTtlMillis(), started.endMillis());
    }

    Result extend(Command.ExtendLease command) {
        Lease lease = find(command);
        if (lease == null) {
            return notFound(command);
        }
        long id = command.requestId();
        Result earlier = once.earlierAnswer(lease, command);
        if (earlier != null) {
            return earlier;
        }
        Result.Refused refused = check(command, lease);
        if (refused != null) {
            return refused;
        }
        if (command.ttlMillis() != 0) {
            ledger.keep(lease, command.ttlMillis());
        } else {
            ledger.extend(lease, command.additionalMillis());
        }
        Result.LeaseGranted extended =
                new Result.LeaseGranted(lease.totalTtlMillis(), lease.endMillis(), command.asked());
        if (id != 0 && command.ttlMillis() == 0) {
            ledger.rememberExtension(lease, id, extended);
        }
        return extended;
    }

    private Result.@Nullable Refused check(Command.ExtendLease command, Lease lease) {
        long additional = command.additionalMillis();
        long ttl = command.ttlMillis();
        if (ttl < 0 || (ttl != 0 && additional != 0)) {
            return invalid("ttlMillis", 1, ttl);
        }
        if (ttl == 0 && additional < 1) {
            return invalid("additionalMillis", 1, additional);
        }
        long most = state.limit(Limit.TTL_MAX_MILLIS);
        long left = ttl != 0 ? ttl : additional > most ? additional : lease.endMillis() + additional - state.now();
        return left > most ? new Result.Refused(Refusal.QUOTA_EXCEEDED, Limit.TTL_MAX_MILLIS.name(), most, left) : null;
    }

    Result revoke(Command.RevokeLease command) {
        Lease lease = find(command);
        if (lease == null) {
            return notFound(command);
        }
        ends.end(lease, EndReason.LEASE_REVOKED);
        return new Result.LeaseRevoked();
    }

    private Result again(Lease lease, Command.GrantLease command) {
        boolean same = lease.principal().equals(command.principal())
                && lease.clientId().equals(command.clientId())
                && lease.grantedTtlMillis() == command.ttlMillis()
                && lease.lockDelayMillis() == command.lockDelayMillis();
        if (lease.isDueAt(state.now()) && lease.principal().equals(command.principal())) {
            return new Result.Refused(Refusal.LEASE_ENDED, "lease");
        }
        return same
                ? new Result.LeaseGranted(lease.grantedTtlMillis(), lease.endMillis())
                : new Result.Refused(Refusal.LEASE_EXISTS, "lease");
    }

    /** Whether a new lease may be started so. */
    Result.@Nullable Refused check(Command.GrantLease command) {
        long ttl = command.ttlMillis();
        if (ttl < state.limit(Limit.TTL_MIN_MILLIS)) {
            return invalid("ttlMillis", state.limit(Limit.TTL_MIN_MILLIS), ttl);
        }
        if (ttl > state.limit(Limit.TTL_MAX_MILLIS)) {
            return invalid("ttlMillis", state.limit(Limit.TTL_MAX_MILLIS), ttl);
        }
        long nameBytes = state.limit(Limit.CLIENT_ID_BYTES);
        if (utf8Length(command.clientId()) > nameBytes) {
            return invalid("clientId", nameBytes, utf8Length(command.clientId()));
        }
        if (utf8Length(command.principal()) > nameBytes) {
            return invalid("principal", nameBytes, utf8Length(command.principal()));
        }
        long delay = command.lockDelayMillis();
        if (delay < 0 || delay > state.limit(Limit.LOCK_DELAY_MILLIS)) {
            return invalid("lockDelayMillis", state.limit(Limit.LOCK_DELAY_MILLIS), delay);
        }
        if (state.leases().size() >= state.limit(Limit.LEASES)) {
            return quota(Limit.LEASES, state.leases().size() + 1L);
        }
        if (state.tombstones().size() >= state.limit(Limit.ENDED_LEASES)) {
            return quota(Limit.ENDED_LEASES, state.tombstones().size() + 1L);
        }
        Account account = state.accounts().find(command.principal());
        Result.Refused refused = quotas.check(account, Quota.LEASES, 1);
        return refused != null ? refused : quotas.check(account, Quota.ENDED_LEASES, 1);
    }

    /** The lease that this would start; it is not in the state. */
    Lease imagined(Command.GrantLease command) {
        return Lease.imagined(command, state.accounts().find(command.principal()), state.hash());
    }

    private Result.Refused quota(Limit limit, long actual) {
        return new Result.Refused(Refusal.QUOTA_EXCEEDED, limit.name(), state.limit(limit), actual);
    }

    static Result.Refused invalid(String field, long limit, long actual) {
        return new Result.Refused(Refusal.INVALID_ARGUMENT, field, limit, actual);
    }

    static int utf8Length(String text) {
        return text.isEmpty() ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
