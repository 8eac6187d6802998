package dev.holdfast.server.grpc;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.query.Explanation;
import dev.holdfast.core.query.LeaseView;
import dev.holdfast.core.query.LockView;
import dev.holdfast.core.result.Plan;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.v1.CancelResponse;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.DescribeResponse;
import dev.holdfast.protocol.v1.Explanation.Step;
import dev.holdfast.protocol.v1.Holder;
import dev.holdfast.protocol.v1.LeaseGrantResponse;
import dev.holdfast.protocol.v1.LeaseRevokeResponse;
import dev.holdfast.protocol.v1.LeaseTimeToLiveResponse;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.PlanResponse;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockResponse;
import dev.holdfast.protocol.v1.Waiter;
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
    private static final long NO_LEASE = -1;

    private Answers() {}

    /** The answer to an acquire or upgrade; a request that waits is an answer on a session only. */
    static LockResponse.Builder lock(Result result, String key, Asked asked) {
        LockResponse.Builder response = LockResponse.newBuilder().setKey(key);
        return switch (result.kind()) {
            case GRANTED -> {
                Result.Granted granted = (Result.Granted) result;
                yield response.setAcquired(true)
                        .setFencingToken(granted.token().value())
                        .addAllHolds(ProtoMapper.holds(granted.holds()))
                        .setLeaseEndMs(granted.leaseEndMillis())
                        .setHoldEndMs(granted.holdEndMillis());
            }
            case QUEUED -> {
                Result.Queued queued = (Result.Queued) result;
                yield response.setQueued(true)
                        .setPosition(queued.position())
                        .setBlockedOn(queued.blockedOn().toString())
                        .setDeadlockCheckIncomplete(!queued.deadlockChecked());
            }
            case DOWNGRADED -> {
                Result.Downgraded downgraded = (Result.Downgraded) result;
                yield response.setAcquired(true)
                        .setFencingToken(downgraded.token().value())
                        .addAllHolds(ProtoMapper.holds(downgraded.holds()));
            }
            case ENDED -> {
                Result.Ended ended = (Result.Ended) result;
                yield response.setCode(Code.GRANT_ENDED)
                        .setFencingToken(ended.token().value())
                        .setEnded(ProtoMapper.reason(ended.reason()));
            }
            case REFUSED -> denied(response, (Result.Refused) result, asked);
            case LEASE_GRANTED, LEASE_REVOKED, RELEASED, ALREADY_RELEASED, DESCRIBED, CANCELLED, CHANGED ->
                throw unexpected(result);
        };
    }

    private static LockResponse.Builder denied(LockResponse.Builder response, Result.Refused refused, Asked asked) {
        return switch (refused.code()) {
            case LOCK_ALREADY_HELD, TIMEOUT, CANCELLED ->
                response.setCode(Refusals.code(refused.code()).wire())
                        .addAllBlockers(GrpcErrors.blockers(Refusals.visible(refused.blockers(), asked.caller())));
            default -> throw Refusals.rejected(refused, asked);
        };
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

    /** The answer to a release, which anybody may try: whether another holds the key is told to those who may read it. */
    static UnlockResponse.Builder unlock(Result result, LockKey key, Asked asked) {
        UnlockResponse.Builder response = UnlockResponse.newBuilder();
        if (result instanceof Result.Refused refused
                && refused.code() == Refusal.NOT_HOLDER
                && !asked.caller().mayRead(key)) {
            return response.setOutcome(UnlockResponse.Outcome.ALREADY_RELEASED);
        }
        return switch (result.kind()) {
            case RELEASED ->
                response.setOutcome(UnlockResponse.Outcome.RELEASED)
                        .setFencingToken(((Result.Released) result).token().value());
            case ALREADY_RELEASED -> response.setOutcome(UnlockResponse.Outcome.ALREADY_RELEASED);
            case CANCELLED -> response.setOutcome(UnlockResponse.Outcome.LEFT_QUEUE);
            case LEASE_GRANTED, LEASE_REVOKED, GRANTED, QUEUED, DOWNGRADED, DESCRIBED, ENDED, CHANGED, REFUSED ->
                throw refusedOrUnexpected(result, asked);
        };
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

    // Answers to questions.

    static LockRecord lock(LockView view) {
        LockRecord.Builder record = LockRecord.newBuilder()
                .setKey(view.key().toString())
                .setCapacity(view.capacity())
                .setCreateRevision(view.createRevision())
                .setModRevision(view.modRevision())
                .setVersion(view.version())
                .setHolderCount(view.holderCount())
                .setPermitsTaken(view.permitsTaken())
                .setWaiterCount(view.waiterCount());
        view.holders().forEach(holder -> record.addHolders(holder(holder)));
        view.waiters().forEach(waiter -> record.addWaiters(waiter(waiter)));
        return record.build();
    }

    private static Holder holder(LockView.Holder holder) {
        return Holder.newBuilder()
                .setHolderId(holder.clientId())
                .setFencingToken(holder.token())
                .setHold(ProtoMapper.hold(holder.hold()))
                .setHeldMs(holder.ageMillis())
                .setSinceWallMs(holder.wallMillis())
                .setLeaseLeftMs(holder.leaseLeftMillis())
                .setHoldEndMs(holder.holdEndMillis())
                .setLingering(holder.lingering())
                .setPurpose(holder.purpose())
                .setMetadata(ProtoMapper.bytes(holder.metadata()))
                .build();
    }

    private static Waiter waiter(LockView.Waiter waiter) {
        return Waiter.newBuilder()
                .setClientId(waiter.clientId())
                .setCreateRevision(waiter.revision())
                .setPredecessorRevision(waiter.predecessor())
                .addHolds(ProtoMapper.hold(waiter.wants()))
                .setWaitingMs(waiter.ageMillis())
                .setSinceWallMs(waiter.wallMillis())
                .setLeaseLeftMs(waiter.leaseLeftMillis())
                .setWaitEndMs(waiter.waitEndMillis())
                .setUpgrade(waiter.upgrade())
                .setPurpose(waiter.purpose())
                .setMetadata(ProtoMapper.bytes(waiter.metadata()))
                .build();
    }

    static LeaseTimeToLiveResponse.Builder lease(LeaseView view, boolean keys) {
        LeaseTimeToLiveResponse.Builder response = LeaseTimeToLiveResponse.newBuilder()
                .setId(view.id().value())
                .setTtl(view.leftMillis() / MILLIS_PER_SECOND)
                .setTtlMs(view.leftMillis())
                .setGrantedTtl(view.grantedTtlMillis() / MILLIS_PER_SECOND)
                .setGrantedTtlMs(view.grantedTtlMillis())
                .setClientId(view.clientId());
        return keys
                ? response.addAllHeld(ProtoMapper.holds(view.held()))
                        .addAllAwaited(ProtoMapper.holds(view.awaited()))
                        .setIncomplete(!view.complete())
                : response;
    }

    static LeaseTimeToLiveResponse.Builder noLease(long id) {
        return LeaseTimeToLiveResponse.newBuilder().setId(id).setTtl(NO_LEASE).setTtlMs(NO_LEASE);
    }

    static dev.holdfast.protocol.v1.Explanation explanation(Explanation explanation) {
        dev.holdfast.protocol.v1.Explanation.Builder message = dev.holdfast.protocol.v1.Explanation.newBuilder()
                .setBlockedOn(explanation.blockedOn().toString())
                .setPosition(explanation.position())
                .setIncomplete(!explanation.complete());
        explanation.steps().forEach(step -> message.addSteps(step(step)));
        return message.build();
    }

    private static Step step(Explanation.Step step) {
        return Step.newBuilder()
                .setWaiter(step.waiter())
                .setWaiterRevision(step.waiterRevision())
                .setKey(step.key().toString())
                .setHow(
                        switch (step.how()) {
                            case HOLDS -> Step.How.HOLDS;
                            case WAITS_AHEAD -> Step.How.WAITS_AHEAD;
                            case LOCK_DELAY -> Step.How.LOCK_DELAY;
                        })
                .setBlocker(step.blocker())
                .setBlockerToken(step.blockerToken())
                .setAgeMs(step.ageMillis())
                .setLeaseLeftMs(step.leaseLeftMillis())
                .setPurpose(step.purpose())
                .setMetadata(ProtoMapper.bytes(step.metadata()))
                .build();
    }

    static PlanResponse.Builder plan(Plan plan, Asked asked) {
        PlanResponse.Builder response = PlanResponse.newBuilder();
        return switch (plan.kind()) {
            case WOULD_BE_GRANTED -> response.setVerdict(PlanResponse.Verdict.WOULD_BE_GRANTED);
            case WOULD_WAIT -> {
                Plan.WouldWait wait = (Plan.WouldWait) plan;
                yield response.setVerdict(PlanResponse.Verdict.WOULD_WAIT)
                        .setBlockedOn(wait.blockedOn().toString())
                        .setPosition(wait.position())
                        .addAllBlockers(GrpcErrors.blockers(Refusals.visible(wait.blockers(), asked.caller())));
            }
            case WOULD_DEADLOCK -> {
                Plan.WouldDeadlock deadlock = (Plan.WouldDeadlock) plan;
                yield response.setVerdict(PlanResponse.Verdict.WOULD_DEADLOCK)
                        .addAllBlockers(GrpcErrors.blockers(Refusals.visible(deadlock.cycle(), asked.caller())));
            }
            case WOULD_BE_REFUSED ->
                response.setVerdict(PlanResponse.Verdict.WOULD_BE_REFUSED)
                        .setError(GrpcErrors.error(Refusals.of(((Plan.WouldBeRefused) plan).refusal(), asked)));
        };
    }
}
