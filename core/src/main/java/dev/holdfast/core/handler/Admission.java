package dev.holdfast.core.handler;

import dev.holdfast.core.Limit;
import dev.holdfast.core.Quota;
import dev.holdfast.core.deadlock.DeadlockCheck;
import dev.holdfast.core.grant.GrantRule;
import dev.holdfast.core.result.Plan;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Actor;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Ledger;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;
import dev.holdfast.core.state.Waiting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Grants a new request, or lets it wait, or turns it away. */
final class Admission {
    private final State state;
    private final Quotas quotas;
    private final Ledger ledger;
    private final Transitions transitions;
    private final GrantRule rule;
    private final DeadlockCheck deadlocks;
    private final Answers answers;

    Admission(
            State state,
            Ledger ledger,
            Transitions transitions,
            GrantRule rule,
            DeadlockCheck deadlocks,
            Answers answers) {
        this.state = state;
        this.quotas = new Quotas(state);
        this.ledger = ledger;
        this.transitions = transitions;
        this.rule = rule;
        this.deadlocks = deadlocks;
        this.answers = answers;
    }

    /** Whether a new request can be granted at once. */
    boolean isGrantable(Request request) {
        return rule.mayBeGranted(request) && rule.blockerOf(request) == null;
    }

    /** Lets a request wait that cannot be granted now, if it wants to and may. */
    Result queueOrRefuse(Request request, Waiting waiting) {
        Claim blocker = rule.blockerOf(request);
        Lock blockedOn = blocker == null ? request.lock() : blocker.lock();
        if (waiting.waitMillis() == 0) {
            List<Result.Blocker> blockers = blocker == null ? List.of() : List.of(state.blocker(blocker));
            return new Result.Refused(
                    Refusal.LOCK_ALREADY_HELD, blockedOn.name().toString(), 0, 0, blockers);
        }
        Result.Refused full = checkCoveredWait(request, waiting);
        if (full == null) {
            full = checkRoom(request);
        }
        if (full != null) {
            return full;
        }
        DeadlockCheck.Verdict verdict = deadlocks.check(request);
        switch (verdict.finding()) {
            case STUCK -> {
                return Result.Refused.deadlock(blockedOn.name(), verdict.cycle(), verdict.members());
            }
            case FREE -> waiting.setDeadlockChecked(true);
            case INCOMPLETE -> waiting.setDeadlockChecked(false);
        }
        transitions.enqueue(request, waiting, blockedOn);
        Lease lease = request.lease();
        if (waiting.leaseCoversWait()) {
            ledger.setLeaseEnd(lease, Math.max(lease.endMillis(), state.now() + covered(request, waiting)));
        }
        return answers.queued(request, waiting);
    }

    /** No lease may have more left than this, however it came by it: a restore waits no longer. */
    private Result.@Nullable Refused checkCoveredWait(Request request, Waiting waiting) {
        long most = state.limit(Limit.TTL_MAX_MILLIS);
        long covered = covered(request, waiting);
        return waiting.leaseCoversWait() && covered > most
                ? new Result.Refused(Refusal.QUOTA_EXCEEDED, Limit.TTL_MAX_MILLIS.name(), most, covered)
                : null;
    }

    private static long covered(Request request, Waiting waiting) {
        return waiting.waitMillis() + request.lease().grantedTtlMillis();
    }

    /** For a grantable upgrade: whether it would make its own actor wait for ever for something else. */
    Result.@Nullable Refused refuseIfItsActorWouldBeStuck(Request upgrade) {
        Actor actor = upgrade.actor();
        if (actor == null || !actor.isWaiting()) {
            return null;
        }
        DeadlockCheck.Verdict verdict = deadlocks.check(upgrade);
        return verdict.finding() == DeadlockCheck.Finding.STUCK
                ? Result.Refused.deadlock(upgrade.key(), verdict.cycle(), verdict.members())
                : null;
    }

    /** What would become of a new request that may wait. */
    Plan plan(Request request, Waiting waiting) {
        if (isGrantable(request)) {
            return new Plan.WouldBeGranted();
        }
        // Whoever would not wait needs no room to: it is told what it would wait for.
        if (waiting.waitMillis() != 0) {
            Result.Refused full = checkCoveredWait(request, waiting);
            if (full == null) {
                full = checkRoom(request);
            }
            if (full != null) {
                return new Plan.WouldBeRefused(full);
            }
        }
        DeadlockCheck.Verdict verdict = deadlocks.check(request);
        return switch (verdict.finding()) {
            case STUCK -> new Plan.WouldDeadlock(verdict.cycle());
            case FREE -> wouldWait(request, true);
            case INCOMPLETE -> wouldWait(request, false);
        };
    }

    /** What becomes of one that waits already. */
    Plan planOfWaiting(Request request) {
        Waiting waiting = request.waiting();
        return wouldWait(request, waiting != null && waiting.isDeadlockChecked());
    }

    private Plan wouldWait(Request request, boolean deadlockChecked) {
        Claim blocker = rule.blockerOf(request);
        Lock blockedOn = blocker == null ? request.lock() : blocker.lock();
        return new Plan.WouldWait(
                blockedOn.name(),
                blockedOn.waitersBelow(request.rank()),
                blocker == null ? List.of() : List.of(state.blocker(blocker)),
                deadlockChecked);
    }

    Result.@Nullable Refused checkClaims(Lease lease, int asked) {
        long most = state.limit(Limit.LOCKS_PER_LEASE);
        long claims = lease.claims() + (long) asked;
        return claims <= most
                ? quotas.check(lease.account(), Quota.LOCKS, asked)
                : new Result.Refused(Refusal.QUOTA_EXCEEDED, Limit.LOCKS_PER_LEASE.name(), most, claims);
    }

    private Result.@Nullable Refused checkRoom(Request request) {
        long perLease = state.limit(Limit.WAITERS_PER_LEASE);
        int waiters = request.lease().waiters();
        if (waiters >= perLease) {
            return new Result.Refused(Refusal.QUOTA_EXCEEDED, Limit.WAITERS_PER_LEASE.name(), perLease, waiters + 1L);
        }
        Result.Refused refused = quotas.check(request.lease().account(), Quota.WAITERS, 1);
        if (refused != null) {
            return refused;
        }
        long perKey = state.limit(Limit.WAITERS_PER_KEY);
        for (Claim claim = request; claim != null; claim = claim.next()) {
            int queue = claim.lock().waiterCount();
            if (queue >= perKey) {
                return new Result.Refused(Refusal.QUOTA_EXCEEDED, Limit.WAITERS_PER_KEY.name(), perKey, queue + 1L);
            }
        }
        return null;
    }
}
