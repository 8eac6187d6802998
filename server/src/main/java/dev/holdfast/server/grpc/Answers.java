package dev.holdfast.server.grpc;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Mode;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.v1.CancelResponse;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.DescribeResponse;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.LeaseGrantResponse;
import dev.holdfast.protocol.v1.LeaseRevokeResponse;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockResponse;
import dev.holdfast.server.request.Rejected;
import java.util.List;

/**
 * Writes the machine's results as messages, without their headers.
 *
 * <p>A refusal that is no answer of the call is thrown as {@link Rejected}.
 */
final class Answers {
    private static final long MILLIS_PER_SECOND = 1_000;

    private Answers() {}

    /** The answer to an acquire or upgrade; a request that waits is an answer on a session only. */
    static LockResponse.Builder lock(Result result, String key, Refusals.Asked asked) {
        LockResponse.Builder response = LockResponse.newBuilder().setKey(key);
        if (result instanceof Result.Granted granted) {
            return response.setAcquired(true)
                    .setFencingToken(granted.token().value())
                    .addAllHolds(holds(granted.holds()))
                    .setLeaseEndMs(granted.leaseEndMillis())
                    .setHoldEndMs(granted.holdEndMillis());
        } else if (result instanceof Result.Queued queued) {
            return response.setQueued(true)
                    .setPosition(queued.position())
                    .setBlockedOn(queued.blockedOn().toString())
                    .setDeadlockCheckIncomplete(!queued.deadlockChecked());
        } else if (result instanceof Result.Downgraded downgraded) {
            return response.setAcquired(true)
                    .setFencingToken(downgraded.token().value())
                    .addAllHolds(holds(downgraded.holds()));
        } else if (result instanceof Result.Ended ended) {
            return response.setCode(Code.GRANT_ENDED)
                    .setFencingToken(ended.token().value())
                    .setEnded(reason(ended.reason()));
        } else if (result instanceof Result.Refused refused) {
            return switch (refused.code()) {
                case LOCK_ALREADY_HELD, TIMEOUT, CANCELLED ->
                    response.setCode(Refusals.code(refused.code()))
                            .addAllBlockers(Refusals.blockers(refused.blockers()));
                default -> throw Refusals.rejected(refused, asked);
            };
        }
        throw unexpected(result);
    }

    static TryLockResponse.Builder tryLock(LockResponse lock) {
        return TryLockResponse.newBuilder()
                .setKey(lock.getKey())
                .setFencingToken(lock.getFencingToken())
                .setAcquired(lock.getAcquired())
                .setCode(lock.getCode())
                .addAllHolds(lock.getHoldsList())
                .setLeaseEndMs(lock.getLeaseEndMs())
                .setHoldEndMs(lock.getHoldEndMs())
                .addAllBlockers(lock.getBlockersList())
                .setEnded(lock.getEnded());
    }

    static UnlockResponse.Builder unlock(Result result, Refusals.Asked asked) {
        UnlockResponse.Builder response = UnlockResponse.newBuilder();
        if (result instanceof Result.Released released) {
            return response.setOutcome(UnlockResponse.Outcome.RELEASED)
                    .setFencingToken(released.token().value());
        } else if (result instanceof Result.AlreadyReleased) {
            return response.setOutcome(UnlockResponse.Outcome.ALREADY_RELEASED);
        } else if (result instanceof Result.Cancelled) {
            return response.setOutcome(UnlockResponse.Outcome.LEFT_QUEUE);
        }
        throw refusedOrUnexpected(result, asked);
    }

    static DescribeResponse.Builder described(Result result, Refusals.Asked asked) {
        if (result instanceof Result.Described described) {
            return DescribeResponse.newBuilder()
                    .setFencingToken(described.token().value());
        }
        throw refusedOrUnexpected(result, asked);
    }

    static CancelResponse.Builder cancel(Result result, Refusals.Asked asked) {
        if (result instanceof Result.Cancelled cancelled) {
            return CancelResponse.newBuilder()
                    .setWas(
                            switch (cancelled.was()) {
                                case WAITING -> CancelResponse.Was.WAITING;
                                case GRANTED -> CancelResponse.Was.GRANTED;
                                case FINISHED -> CancelResponse.Was.FINISHED;
                                case UNKNOWN -> CancelResponse.Was.NOT_ARRIVED;
                            });
        }
        throw refusedOrUnexpected(result, asked);
    }

    static LeaseGrantResponse.Builder leaseGranted(Result result, LeaseId lease, Refusals.Asked asked) {
        if (result instanceof Result.LeaseGranted granted) {
            return LeaseGrantResponse.newBuilder()
                    .setId(lease.value())
                    .setTtl(granted.ttlMillis() / MILLIS_PER_SECOND)
                    .setTtlMs(granted.ttlMillis())
                    .setEndMs(granted.endMillis());
        }
        throw refusedOrUnexpected(result, asked);
    }

    static LeaseRevokeResponse.Builder leaseRevoked(Result result, Refusals.Asked asked) {
        if (result instanceof Result.LeaseRevoked) {
            return LeaseRevokeResponse.newBuilder();
        }
        throw refusedOrUnexpected(result, asked);
    }

    static List<dev.holdfast.protocol.v1.Hold> holds(List<Hold> holds) {
        return holds.stream().map(Answers::hold).toList();
    }

    static dev.holdfast.protocol.v1.Hold hold(Hold hold) {
        return dev.holdfast.protocol.v1.Hold.newBuilder()
                .setKey(hold.key().toString())
                .setKind(kind(hold))
                .setMode(mode(hold.mode()))
                .setSlot(slot(hold))
                .build();
    }

    static int slot(Hold hold) {
        return Math.max(hold.slot(), 0);
    }

    static Kind kind(Hold hold) {
        return switch (hold.kind()) {
            case PLAIN -> Kind.PLAIN;
            case SUBTREE -> Kind.SUBTREE;
            case PERMITS -> Kind.PERMITS;
        };
    }

    static dev.holdfast.protocol.v1.Mode mode(Mode mode) {
        return switch (mode) {
            case EXCLUSIVE -> dev.holdfast.protocol.v1.Mode.EXCLUSIVE;
            case SHARED -> dev.holdfast.protocol.v1.Mode.SHARED;
        };
    }

    static dev.holdfast.protocol.v1.EndReason reason(EndReason reason) {
        return switch (reason) {
            case RELEASED -> dev.holdfast.protocol.v1.EndReason.RELEASED;
            case CANCELLED -> dev.holdfast.protocol.v1.EndReason.END_CANCELLED;
            case TIMEOUT -> dev.holdfast.protocol.v1.EndReason.WAIT_TIMEOUT;
            case LEASE_EXPIRED -> dev.holdfast.protocol.v1.EndReason.EXPIRED;
            case LEASE_REVOKED -> dev.holdfast.protocol.v1.EndReason.REVOKED;
            case MAX_HOLD -> dev.holdfast.protocol.v1.EndReason.MAX_HOLD;
            case FORCED -> dev.holdfast.protocol.v1.EndReason.FORCED;
            case RESTORED -> dev.holdfast.protocol.v1.EndReason.RESTORED;
            case GRANT_ENDED -> dev.holdfast.protocol.v1.EndReason.UPGRADED_GRANT_ENDED;
        };
    }

    private static RuntimeException refusedOrUnexpected(Result result, Refusals.Asked asked) {
        return result instanceof Result.Refused refused ? Refusals.rejected(refused, asked) : unexpected(result);
    }

    private static IllegalStateException unexpected(Result result) {
        return new IllegalStateException("no message for " + result);
    }
}
