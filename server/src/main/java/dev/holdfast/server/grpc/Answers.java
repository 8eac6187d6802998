package dev.holdfast.server.grpc;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.v1.CancelResponse;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.DescribeResponse;
import dev.holdfast.protocol.v1.LeaseGrantResponse;
import dev.holdfast.protocol.v1.LeaseRevokeResponse;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockResponse;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Refusals;
import dev.holdfast.server.request.Rejected;

/**
 * Writes the machine's results as messages, without their headers.
 *
 * <p>A refusal that is no answer of the call is thrown as {@link Rejected}.
 */
final class Answers {
    private static final long MILLIS_PER_SECOND = 1_000;

    private Answers() {}

    /** The answer to an acquire or upgrade; a request that waits is an answer on a session only. */
    static LockResponse.Builder lock(Result result, String key, Asked asked) {
        LockResponse.Builder response = LockResponse.newBuilder().setKey(key);
        if (result instanceof Result.Granted granted) {
            return response.setAcquired(true)
                    .setFencingToken(granted.token().value())
                    .addAllHolds(ProtoMapper.holds(granted.holds()))
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
                    .addAllHolds(ProtoMapper.holds(downgraded.holds()));
        } else if (result instanceof Result.Ended ended) {
            return response.setCode(Code.GRANT_ENDED)
                    .setFencingToken(ended.token().value())
                    .setEnded(ProtoMapper.reason(ended.reason()));
        } else if (result instanceof Result.Refused refused) {
            return switch (refused.code()) {
                case LOCK_ALREADY_HELD, TIMEOUT, CANCELLED ->
                    response.setCode(Refusals.code(refused.code()).wire())
                            .addAllBlockers(GrpcErrors.blockers(Refusals.visible(refused.blockers(), asked.caller())));
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

    static UnlockResponse.Builder unlock(Result result, Asked asked) {
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

    static DescribeResponse.Builder described(Result result, Asked asked) {
        if (result instanceof Result.Described described) {
            return DescribeResponse.newBuilder()
                    .setFencingToken(described.token().value());
        }
        throw refusedOrUnexpected(result, asked);
    }

    static CancelResponse.Builder cancel(Result result, Asked asked) {
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

    static LeaseGrantResponse.Builder leaseGranted(Result result, LeaseId lease, Asked asked) {
        if (result instanceof Result.LeaseGranted granted) {
            return LeaseGrantResponse.newBuilder()
                    .setId(lease.value())
                    .setTtl(granted.ttlMillis() / MILLIS_PER_SECOND)
                    .setTtlMs(granted.ttlMillis())
                    .setEndMs(granted.endMillis());
        }
        throw refusedOrUnexpected(result, asked);
    }

    static LeaseRevokeResponse.Builder leaseRevoked(Result result, Asked asked) {
        if (result instanceof Result.LeaseRevoked) {
            return LeaseRevokeResponse.newBuilder();
        }
        throw refusedOrUnexpected(result, asked);
    }

    private static RuntimeException refusedOrUnexpected(Result result, Asked asked) {
        return result instanceof Result.Refused refused ? Refusals.rejected(refused, asked) : unexpected(result);
    }

    private static IllegalStateException unexpected(Result result) {
        return new IllegalStateException("no message for " + result);
    }
}
