package dev.holdfast.core.model;

import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Command.ExtendLease;
import dev.holdfast.core.command.Command.GrantLease;
import dev.holdfast.core.command.Command.OfLease;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.image.TombstoneImage;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.result.Result.Refused;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The section "Leases". */
final class NaiveLeaseCommands {
    private final NaiveState state;
    private final NaiveTransitions transitions;
    private final NaiveQuotas quotas;

    NaiveLeaseCommands(NaiveState state, NaiveTransitions transitions) {
        this.state = state;
        this.transitions = transitions;
        this.quotas = new NaiveQuotas(state);
    }

    /** Why the lease cannot be used by this command; nothing if it can. */
    Optional<Refused> refusal(OfLease command) {
        Optional<NaiveLease> lease = state.lease(command.lease().value());
        if (lease.isPresent()) {
            if (!mayUse(command, lease.get().principal)) {
                return refused(Refusal.LEASE_NOT_FOUND);
            }
            return state.isLeaseDue(lease.get()) ? refused(Refusal.LEASE_ENDED) : Optional.empty();
        }
        boolean known = state.tombstone(command.lease())
                .filter(ended -> mayUse(command, ended.principal()))
                .isPresent();
        return refused(known ? Refusal.LEASE_ENDED : Refusal.LEASE_NOT_FOUND);
    }

    private boolean mayUse(OfLease command, String principal) {
        return principal.equals(command.principal()) || state.has(PlantedBug.PRINCIPAL_IGNORED);
    }

    private static Optional<Refused> refused(Refusal code) {
        return Optional.of(new Refused(code, "lease"));
    }

    Result grant(GrantLease asked) {
        Optional<NaiveLease> lease = state.lease(asked.lease().value());
        if (lease.isPresent()) {
            return grantAgain(lease.get(), asked);
        }
        Optional<TombstoneImage> ended = state.tombstone(asked.lease());
        if (ended.isPresent()) {
            boolean own = mayUse(asked, ended.get().principal());
            return new Refused(own ? Refusal.LEASE_ENDED : Refusal.LEASE_EXISTS, "lease");
        }
        Optional<Refused> invalid = invalid(asked);
        if (invalid.isPresent()) {
            return invalid.get();
        }
        NaiveLease started = transitions.startLease(asked);
        return new Result.LeaseGranted(started.grantedTtlMillis, started.endMillis);
    }

    private Result grantAgain(NaiveLease lease, GrantLease asked) {
        if (!mayUse(asked, lease.principal)) {
            return new Refused(Refusal.LEASE_EXISTS, "lease");
        }
        if (state.isLeaseDue(lease)) {
            return new Refused(Refusal.LEASE_ENDED, "lease");
        }
        boolean same = lease.clientId.equals(asked.clientId())
                && lease.grantedTtlMillis == asked.ttlMillis()
                && lease.lockDelayMillis == asked.lockDelayMillis();
        return same
                ? new Result.LeaseGranted(lease.grantedTtlMillis, lease.endMillis)
                : new Refused(Refusal.LEASE_EXISTS, "lease");
    }

    private Optional<Refused> invalid(GrantLease asked) {
        long shortest = state.limit(Limit.TTL_MIN_MILLIS);
        if (asked.ttlMillis() < shortest) {
            return invalidArgument("ttlMillis", shortest, asked.ttlMillis());
        }
        long longest = state.limit(Limit.TTL_MAX_MILLIS);
        if (asked.ttlMillis() > longest) {
            return invalidArgument("ttlMillis", longest, asked.ttlMillis());
        }
        long idBytes = state.limit(Limit.CLIENT_ID_BYTES);
        if (bytes(asked.clientId()) > idBytes) {
            return invalidArgument("clientId", idBytes, bytes(asked.clientId()));
        }
        if (bytes(asked.principal()) > idBytes) {
            return invalidArgument("principal", idBytes, bytes(asked.principal()));
        }
        long longestDelay = state.limit(Limit.LOCK_DELAY_MILLIS);
        if (asked.lockDelayMillis() < 0 || asked.lockDelayMillis() > longestDelay) {
            return invalidArgument("lockDelayMillis", longestDelay, asked.lockDelayMillis());
        }
        if (state.leases.size() >= state.limit(Limit.LEASES)) {
            return quotaExceeded(Limit.LEASES, state.leases.size() + 1);
        }
        if (state.tombstones.size() >= state.limit(Limit.ENDED_LEASES)) {
            return quotaExceeded(Limit.ENDED_LEASES, state.tombstones.size() + 1);
        }
        return quotas.refuseLease(asked.principal());
    }

    private static Optional<Refused> invalidArgument(String field, long limit, long actual) {
        return Optional.of(new Refused(Refusal.INVALID_ARGUMENT, field, limit, actual));
    }

    private Optional<Refused> quotaExceeded(Limit limit, long actual) {
        return Optional.of(new Refused(Refusal.QUOTA_EXCEEDED, limit.name(), state.limit(limit), actual));
    }

    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    Result extend(NaiveLease lease, ExtendLease asked) {
        long id = asked.requestId();
        if (id < 0) {
            return new Refused(Refusal.INVALID_ARGUMENT, "requestId", 0, id);
        }
        if (id == 0) {
            return extendOnce(lease, asked);
        }
        if (lease.extensions.containsKey(id) && !state.has(PlantedBug.EXTENDED_AGAIN)) {
            return lease.extensions.get(id);
        }
        if (asked.ttlMillis() != 0) {
            return extendOnce(lease, asked);
        }
        Optional<Refused> full = lease.extensions.size() >= state.limit(Limit.UNACKNOWLEDGED)
                ? Optional.of(new Refused(
                        Refusal.WINDOW_FULL,
                        Limit.UNACKNOWLEDGED.name(),
                        state.limit(Limit.UNACKNOWLEDGED),
                        lease.extensions.size() + 1L))
                : quotas.refuseAnswer(lease, 1);
        if (full.isPresent()) {
            return full.get();
        }
        Result result = extendOnce(lease, asked);
        if (result instanceof Result.LeaseGranted extended) {
            lease.extensions.put(id, extended);
        }
        return result;
    }

    private Result extendOnce(NaiveLease lease, ExtendLease asked) {
        if (asked.ttlMillis() < 0 || (asked.ttlMillis() > 0 && asked.additionalMillis() != 0)) {
            return new Refused(Refusal.INVALID_ARGUMENT, "ttlMillis", 1, asked.ttlMillis());
        }
        return asked.ttlMillis() > 0 ? keep(lease, asked) : extendBy(lease, asked);
    }

    private Result keep(NaiveLease lease, ExtendLease asked) {
        long longest = state.limit(Limit.TTL_MAX_MILLIS);
        if (asked.ttlMillis() > longest) {
            return new Refused(Refusal.QUOTA_EXCEEDED, Limit.TTL_MAX_MILLIS.name(), longest, asked.ttlMillis());
        }
        long end = state.now + asked.ttlMillis();
        state.setEnd(lease, state.has(PlantedBug.TTL_SHORTENS) ? end : Math.max(lease.endMillis, end));
        return new Result.LeaseGranted(lease.totalTtlMillis, lease.endMillis, -asked.ttlMillis());
    }

    private Result extendBy(NaiveLease lease, ExtendLease asked) {
        long additional = asked.additionalMillis();
        if (additional < 1) {
            return new Refused(Refusal.INVALID_ARGUMENT, "additionalMillis", 1, additional);
        }
        long longest = state.limit(Limit.TTL_MAX_MILLIS);
        if (additional > longest) {
            return new Refused(Refusal.QUOTA_EXCEEDED, Limit.TTL_MAX_MILLIS.name(), longest, additional);
        }
        long remaining = lease.endMillis + additional - state.now;
        if (remaining > longest) {
            return new Refused(Refusal.QUOTA_EXCEEDED, Limit.TTL_MAX_MILLIS.name(), longest, remaining);
        }
        transitions.extendLease(lease, additional);
        return new Result.LeaseGranted(lease.totalTtlMillis, lease.endMillis, additional);
    }

    Result revoke(NaiveLease lease, Runnable grantPass) {
        transitions.closeLease(lease, EndReason.LEASE_REVOKED, grantPass);
        return new Result.LeaseRevoked();
    }
}
