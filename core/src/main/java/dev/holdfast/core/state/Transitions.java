package dev.holdfast.core.state;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Kind;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.time.Deadlines;
import dev.holdfast.core.time.Timer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The transitions of locks: the only code that moves a request from one state to another.
 *
 * <p>Each takes the next revision, makes exactly one event, and triggers the locks on which others may
 * have become grantable. None decides anything: that is the grant rule's and the handlers' work.
 */
public final class Transitions {
    private final State state;
    private final Ledger ledger;

    public Transitions(State state, Ledger ledger) {
        this.state = state;
        this.ledger = ledger;
    }

    /** The request joins the queues of all its locks, parked on the one that blocks it. */
    public void enqueue(Request request, Waiting waiting, Lock blockedOn) {
        request.waiting = waiting;
        request.revision = ledger.nextRevision();
        request.sinceMillis = state.now;
        request.wallMillis = state.wallMillis;
        for (Claim claim = request; claim != null; claim = claim.next) {
            ledger.record(claim.lock());
            claim.lock().crowd().addWaiter(claim);
        }
        park(request, waiting, blockedOn);
        if (waiting.waitMillis > 0) {
            waiting.ends = end(Timer.What.WAIT, request, state.now + waiting.waitMillis);
        }
        request.lease.countWaiters(1);
        ledger.enlist(request);
        if (request.actor != null) {
            ledger.register(request.actor).waits.add(request);
        }
        ledger.note(new Event.Queued(request.revision, state.now, state.wallMillis, partyOf(request), request.holds()));
    }

    /** The request leaves the queues without a grant. */
    public void leave(Request request, EndReason reason, Result.Final answer) {
        long revision = ledger.nextRevision();
        touchAll(request);
        unqueue(request);
        ledger.delist(request);
        ledger.finish(request.lease, request.seq, answer);
        ledger.note(new Event.Left(revision, state.now, state.wallMillis, partyOf(request), request.holds(), reason));
        triggerAll(request);
    }

    /** The request, waiting or new, holds what it asked for. */
    public Result.Granted grant(Request request, long maxHoldMillis) {
        Waiting waiting = request.waiting;
        long queuedRevision = waiting == null ? 0 : request.revision;
        long revision = ledger.nextRevision();
        if (waiting != null) {
            touchAll(request);
            unqueue(request);
            request.waiting = null;
        }
        request.revision = revision;
        request.sinceMillis = state.now;
        request.wallMillis = state.wallMillis;
        if (waiting == null) {
            ledger.enlist(request);
        }
        hold(request);
        if (maxHoldMillis > 0) {
            request.ends = end(Timer.What.HOLD, request, state.now + maxHoldMillis);
        }
        if (waiting != null && waiting.leaseCoversWait) {
            ledger.setLeaseEnd(request.lease, state.now + request.lease.grantedTtlMillis);
        }
        if (request.actor != null) {
            ledger.register(request.actor).holds.add(request);
        }
        Result.Granted granted = granted(request);
        ledger.note(new Event.Granted(
                revision,
                state.now,
                state.wallMillis,
                partyOf(request),
                granted.holds(),
                granted.token(),
                queuedRevision,
                granted.leaseEndMillis(),
                granted.holdEndMillis(),
                request.purpose,
                request.metadata));
        if (waiting != null) {
            triggerSemaphores(request);
        }
        return granted;
    }

    /** The grant ends. A lost one may linger and keep its keys closed. */
    public FencingToken release(Request grant, EndReason reason, String detail) {
        leaveUpgradeOf(grant);
        long revision = ledger.nextRevision();
        touchAll(grant);
        markChanged(grant, revision);
        cancel(grant.ends);
        grant.ends = null;
        Lease lease = grant.lease;
        FencingToken token = state.tokenOf(grant);
        boolean lingers = reason.isLoss() && lease.lockDelayMillis > 0;
        Event event = new Event.Released(
                revision, state.now, state.wallMillis, partyOf(grant), grant.holds(), token, reason, detail);
        if (lingers) {
            grant.lingering = true;
            grant.ends = end(Timer.What.LINGERING, grant, state.now + lease.lockDelayMillis);
        }
        ledger.delist(grant);
        if (grant.actor != null) {
            grant.actor.holds.remove(grant.revision);
            ledger.forgetIfIdle(grant.actor);
        }
        if (ledger.keepsAnswer(lease, grant.seq)) {
            ledger.finish(lease, grant.seq, new Result.Ended(token, reason));
        }
        ledger.note(event);
        if (!lingers) {
            freeAll(grant);
        }
        return token;
    }

    /** The lock-delay of a lost grant is over. */
    public void endLingering(Request lost) {
        long revision = ledger.nextRevision();
        touchAll(lost);
        markChanged(lost, revision);
        cancel(lost.ends);
        ledger.note(new Event.DelayEnded(revision, state.now, state.wallMillis, partyOf(lost), lost.holds()));
        freeAll(lost);
    }

    /** A waiting, or new, upgrade is granted: its grant becomes exclusive and gets a new token. */
    public Result.Granted upgrade(Request upgrade, Request grant) {
        FencingToken previous = state.tokenOf(grant);
        long revision = ledger.nextRevision();
        touchAll(grant);
        if (upgrade.revision != Request.UNDECIDED) {
            ledger.touch(upgrade);
            unqueue(upgrade);
            ledger.delist(upgrade);
        }
        for (Claim claim = grant; claim != null; claim = claim.next) {
            claim.lock().removeHolder(claim);
        }
        if (grant.actor != null) {
            grant.actor.holds.remove(grant.revision);
        }
        grant.revision = revision;
        for (Claim claim = grant; claim != null; claim = claim.next) {
            claim.exclusive = true;
            claim.lock().addHolder(claim);
        }
        markChanged(grant, revision);
        if (grant.actor != null) {
            grant.actor.holds.add(grant);
        }
        if (grant.ends != null) {
            long end = grant.ends.endMillis;
            cancel(grant.ends);
            grant.ends = end(Timer.What.HOLD, grant, end);
        }
        Result.Granted answer = granted(grant);
        ledger.note(new Event.ModeChanged(
                revision,
                state.now,
                state.wallMillis,
                partyOf(grant),
                answer.holds(),
                answer.token(),
                previous,
                upgrade.seq()));
        ledger.finish(grant.lease, upgrade.seq, answer);
        return answer;
    }

    /** All exclusive claims of a grant become shared. */
    public void downgrade(Request grant) {
        long revision = ledger.nextRevision();
        touchAll(grant);
        for (Claim claim = grant; claim != null; claim = claim.next) {
            claim.exclusive = false;
        }
        markChanged(grant, revision);
        FencingToken token = state.tokenOf(grant);
        ledger.note(new Event.ModeChanged(
                revision, state.now, state.wallMillis, partyOf(grant), grant.holds(), token, token, 0));
        triggerAll(grant);
    }

    /** The grant gets other metadata. Nobody becomes grantable by it. */
    public void describe(Request grant, Metadata metadata) {
        long revision = ledger.nextRevision();
        touchAll(grant);
        grant.metadata = metadata;
        markChanged(grant, revision);
        ledger.note(new Event.Described(
                revision, state.now, state.wallMillis, partyOf(grant), grant.holds(), state.tokenOf(grant), metadata));
    }

    /** Ends a lease: all that it awaits, then all that it holds, then the lease itself. */
    public void endLease(Lease lease, EndReason reason) {
        for (Request request : lease.waitingByAge()) {
            end(request, reason);
        }
        for (Request request : lease.requestsByAge()) {
            end(request, reason);
        }
        ledger.buryLease(lease, reason);
    }

    /** What a request waits for, or holds, ends with its lease. */
    void end(Request request, EndReason reason) {
        if (request.waiting == null) {
            release(request, reason, "");
        } else {
            leave(request, reason, new Result.Refused(Refusal.LEASE_ENDED, "lease"));
        }
    }

    /** Ends every lock-delay that runs, oldest grant first. */
    public void endAllLingering() {
        List<Request> lingering = new ArrayList<>();
        state.locks.visitFrom(new byte[0], lock -> {
            for (int i = 0; i < lock.holderCount(); i++) {
                if (lock.holder(i) instanceof Request request && request.lingering) {
                    lingering.add(request);
                }
            }
            return true;
        });
        lingering.sort(Comparator.comparingLong(Request::revision));
        lingering.forEach(this::endLingering);
    }

    /** Moves a waiting request to another lock that blocks it. */
    public void repark(Request request, Waiting waiting, Lock blockedOn) {
        if (waiting.parkedOn != blockedOn) {
            ledger.touch(request);
            unpark(request, waiting);
            park(request, waiting, blockedOn);
        }
    }

    /** Those parked on the lock below this rank have been tried. */
    public void passed(Lock lock, long rank) {
        state.untried.openFrom(lock, rank);
        if (!lock.isOpen()) {
            lock.disperse();
            ledger.retireIfUnused(lock);
        }
    }

    /** Answers a question as it would be if the request, which is new, were queued; changes nothing. */
    public boolean asIfQueued(Request request, BooleanSupplier question) {
        for (Claim claim = request; claim != null; claim = claim.next) {
            claim.lock().crowd().addWaiter(claim);
        }
        try {
            return question.getAsBoolean();
        } finally {
            for (Claim claim = request; claim != null; claim = claim.next) {
                claim.lock().removeWaiter(claim);
                claim.lock().disperse();
            }
        }
    }

    /** What a grant is told about itself. */
    public Result.Granted granted(Request grant) {
        return new Result.Granted(state.tokenOf(grant), grant.holds(), grant.lease.endMillis, grant.holdEndMillis());
    }

    /** The waiting upgrade of a grant, if there is one. */
    public static @Nullable Request upgradeOf(Request grant) {
        for (Claim claim = grant; claim != null; claim = claim.next) {
            if (claim.lock().waiterCount() > 0) {
                Request first = claim.lock().waiter(0).request();
                if (first.waiting != null && first.waiting.upgrades == grant) {
                    return first;
                }
            }
        }
        return null;
    }

    private void leaveUpgradeOf(Request grant) {
        Request upgrade = upgradeOf(grant);
        if (upgrade != null) {
            leave(
                    upgrade,
                    EndReason.GRANT_ENDED,
                    new Result.Refused(Refusal.GRANT_ENDED, upgrade.key().toString()));
        }
    }

    private void hold(Request request) {
        for (Claim claim = request; claim != null; claim = claim.next) {
            ledger.record(claim.lock());
            claim.lock().modRevision = request.revision;
            claim.lock().version++;
            if (claim.kind() == Kind.PERMITS) {
                claim.permits = claim.lock().crowd().lowestFree(claim.permits.count());
            }
            claim.lock().addHolder(claim);
        }
    }

    private void freeAll(Request request) {
        for (Claim claim = request; claim != null; claim = claim.next) {
            claim.lock().removeHolder(claim);
        }
        ledger.countSubtrees(request, -1);
        triggerAll(request);
    }

    private void markChanged(Request request, long revision) {
        for (Claim claim = request; claim != null; claim = claim.next) {
            claim.lock().modRevision = revision;
            claim.lock().version++;
        }
    }

    /** Takes a waiting request out of every queue; the locks stay as they are for the caller to trigger. */
    private void unqueue(Request request) {
        Waiting waiting = request.waiting;
        if (waiting == null) {
            throw new IllegalStateException("does not wait");
        }
        for (Claim claim = request; claim != null; claim = claim.next) {
            claim.lock().removeWaiter(claim);
        }
        unpark(request, waiting);
        cancel(waiting.ends);
        request.lease.countWaiters(-1);
        if (request.actor != null) {
            request.actor.waits.remove(request);
            ledger.forgetIfIdle(request.actor);
        }
    }

    private void park(Request request, Waiting waiting, Lock blockedOn) {
        waiting.parkedOn = blockedOn;
        blockedOn.crowd().park(request, request.claimOn(blockedOn) != null);
    }

    private void unpark(Request request, Waiting waiting) {
        Lock lock = waiting.parkedOn;
        if (lock == null) {
            throw new IllegalStateException("a waiting request is parked nowhere");
        }
        boolean own = request.claimOn(lock) != null;
        lock.unpark(request, own);
        state.untried.left(lock, request.rank());
        waiting.parkedOn = null;
        if (!own) {
            ledger.retireIfUnused(lock);
        }
    }

    /** Before a request, and the records of its locks, change. */
    private void touchAll(Request request) {
        ledger.touch(request);
        for (Claim claim = request; claim != null; claim = claim.next) {
            ledger.touch(claim.lock());
        }
    }

    private void triggerAll(Request request) {
        for (Claim claim = request; claim != null; claim = claim.next) {
            trigger(claim.lock());
        }
    }

    /** A semaphore lets nobody pass one who waits, so whoever leaves the queue may let the next one in. */
    private void triggerSemaphores(Request request) {
        for (Claim claim = request; claim != null; claim = claim.next) {
            if (claim.lock().capacity > 0) {
                trigger(claim.lock());
            }
        }
    }

    private void trigger(Lock lock) {
        if (lock.crowd != null && !lock.crowd.parked.isEmpty()) {
            state.untried.trigger(lock);
            ledger.retireIfUnclaimed(lock);
        } else {
            lock.disperse();
            ledger.retireIfUnused(lock);
        }
    }

    private Request.End end(Timer.What what, Request request, long endMillis) {
        Request.End end = new Request.End(what, request, endMillis);
        state.deadlines.set(end, Deadlines.tickOf(endMillis));
        return end;
    }

    private void cancel(Request.@Nullable End end) {
        if (end != null) {
            state.deadlines.cancel(end);
        }
    }

    private static Event.Party partyOf(Request request) {
        return new Event.Party(request.lease.id(), request.lease.clientId, request.seq());
    }
}
