package dev.holdfast.core.state;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Limits;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.time.Deadlines;
import java.util.ArrayList;
import java.util.List;

/**
 * The books around the transitions: the clock, revisions, events, leases, the lock table, answers that
 * are remembered. All changes to them are made here.
 */
public final class Ledger {
    private final State state;

    public Ledger(State state) {
        this.state = state;
    }

    // The entry

    public void advanceClock(boolean ownTerm, long clusterTimeMillis, long wallMillis) {
        if (ownTerm) {
            state.now = Math.max(state.now, clusterTimeMillis);
        }
        state.wallMillis = wallMillis;
    }

    /** What happened since this was last asked. */
    public List<Event> takeEvents() {
        List<Event> taken = state.events;
        state.events = new ArrayList<>();
        return taken;
    }

    public void forgetTombstones() {
        state.tombstones.forget(state.now - state.limit(Limit.TOMBSTONE_MILLIS) - 1, state.limit(Limit.ENDS_PER_ENTRY));
    }

    public void setLimits(Limits limits) {
        state.limits = limits;
        state.history.setLimits(limits.get(Limit.HISTORY_EVENTS), limits.get(Limit.HISTORY_BYTES));
    }

    public void setFeatureLevel(int level) {
        state.featureLevel = level;
    }

    // Leases

    public Lease startLease(Command.GrantLease command) {
        Lease lease = new Lease(
                command.lease(),
                command.principal(),
                state.accounts.open(command.principal()),
                command.clientId(),
                command.ttlMillis(),
                command.lockDelayMillis(),
                nextRevision(),
                state.wallMillis,
                state.hash());
        lease.preservedIn = state.snapshots;
        state.add(lease);
        setEnd(lease, state.now + lease.grantedTtlMillis);
        note(new Event.LeaseStarted(
                lease.startRevision, state.now, state.wallMillis, lease.id(), lease.clientId, lease.grantedTtlMillis));
        return lease;
    }

    public void renew(Lease lease) {
        setLeaseEnd(lease, Math.max(lease.endMillis, state.now + lease.grantedTtlMillis));
    }

    /** Like a renewal, but for a time of its own. */
    public void keep(Lease lease, long ttlMillis) {
        setLeaseEnd(lease, Math.max(lease.endMillis, state.now + ttlMillis));
    }

    public void extend(Lease lease, long additionalMillis) {
        long revision = nextRevision();
        setLeaseEnd(lease, lease.endMillis + additionalMillis);
        lease.totalTtlMillis += additionalMillis;
        note(new Event.LeaseExtended(
                revision,
                state.now,
                state.wallMillis,
                lease.id(),
                lease.clientId,
                lease.totalTtlMillis,
                lease.endMillis));
    }

    public void setLeaseEnd(Lease lease, long endMillis) {
        touch(lease);
        setEnd(lease, endMillis);
    }

    private void setEnd(Lease lease, long endMillis) {
        lease.endMillis = endMillis;
        state.deadlines.set(lease, Deadlines.tickOf(endMillis + state.limit(Limit.LEASE_MARGIN_MILLIS)));
    }

    /** From now on the lease is due: it serves nobody, whatever is left of it. */
    void close(Lease lease, EndReason reason) {
        touch(lease);
        lease.ending = reason;
        lease.forgetAnswers();
        long tick = Deadlines.tickReachedAt(state.now);
        if (lease.tick() > tick) {
            state.deadlines.set(lease, tick);
        }
    }

    /** Removes a lease that holds and awaits nothing any more. */
    void buryLease(Lease lease, EndReason reason) {
        touch(lease);
        state.deadlines.cancel(lease);
        state.remove(lease);
        state.tombstones.add(lease.id(), lease.principal, lease.account, reason, state.now);
        note(new Event.LeaseEnded(nextRevision(), state.now, state.wallMillis, lease.id(), lease.clientId, reason));
    }

    // Answers that are remembered

    public void acknowledgeBelow(Lease lease, long seq) {
        if (seq > lease.ackedBelow) {
            touch(lease);
            lease.acknowledgeBelow(seq);
        }
    }

    /** Whether a client may still ask for the answer to this request. */
    boolean keepsAnswer(Lease lease, long seq) {
        return seq > 0 && seq >= lease.ackedBelow && lease.ending == null;
    }

    public void finish(Lease lease, long seq, Result.Final answer) {
        if (keepsAnswer(lease, seq)) {
            touch(lease);
            lease.finish(seq, answer);
        }
    }

    public void rememberExtension(Lease lease, long requestId, Result.LeaseGranted answer) {
        touch(lease);
        lease.rememberExtension(requestId, answer);
    }

    // A new epoch, after a restore

    public void startEpoch(long epoch) {
        if (epoch > FencingToken.MAX_EPOCH) {
            throw new IllegalArgumentException("epoch: " + epoch + " is above " + FencingToken.MAX_EPOCH);
        }
        state.epoch = epoch;
    }

    public void forgetHistory() {
        state.history.restartAfter(state.revision);
    }

    public void quarantineUntil(long endMillis) {
        state.quarantineEndMillis = endMillis;
        state.deadlines.set(state.quarantine, Deadlines.tickOf(endMillis));
    }

    /** Everything that waited for the end of the quarantine may be granted now. */
    public void endQuarantine() {
        state.quarantineEndMillis = 0;
        state.deadlines.cancel(state.quarantine);
        state.locks.visitFrom(new byte[0], lock -> {
            if (lock.crowd != null && !lock.crowd.parked.isEmpty()) {
                state.untried.trigger(lock);
            }
            return true;
        });
    }

    // For Transitions

    long nextRevision() {
        return ++state.revision;
    }

    void note(Event event) {
        state.history.add(event);
        state.events.add(event);
    }

    /** Tells a snapshot in progress before the lock changes. */
    void touch(Lock lock) {
        state.touch(lock);
    }

    /** Likewise for a request. */
    void touch(Request request) {
        if (state.preserver != null) {
            state.preserver.beforeChange(request);
        }
    }

    private void touch(Lease lease) {
        if (state.preserver != null) {
            state.preserver.beforeChange(lease);
        }
    }

    /** Makes sure that the lock has a record, and that it may be changed. */
    void record(Lock lock) {
        if (lock.isRecorded()) {
            touch(lock);
        } else {
            forgetUnclaimed(lock);
            lock.createRevision = state.revision;
            lock.modRevision = state.revision;
            lock.preservedIn = state.snapshots;
            state.locks.add(lock);
        }
    }

    void retireIfUnused(Lock lock) {
        if (lock.isRecorded() && lock.isUnused()) {
            strike(lock);
        } else if (lock.isUnused()) {
            forgetUnclaimed(lock);
        }
    }

    /** A lock that nobody claims has no record, though it is kept for those who are parked there. */
    void retireIfUnclaimed(Lock lock) {
        if (lock.isRecorded() && lock.isUnclaimed()) {
            strike(lock);
            lock.capacity = 0;
            state.unclaimed.add(lock);
        }
    }

    private void forgetUnclaimed(Lock lock) {
        if (!state.unclaimed.isEmpty() && state.unclaimed.get(lock.key()) == lock) {
            state.unclaimed.remove(lock);
        }
    }

    private void strike(Lock lock) {
        state.locks.remove(lock);
        lock.createRevision = 0;
        lock.version = 0;
    }

    /** Enters a request that has just got its first revision. */
    void enlist(Request request) {
        if (request.seq == 0) {
            request.seq = -request.revision;
        }
        request.lease.enlist(request);
        request.lease.countClaims(request.lockCount());
        countSubtrees(request, 1);
        reserveAnswer(request, 1);
    }

    /** Strikes a request; a held one keeps its claims until they are freed. */
    void delist(Request request) {
        request.lease.delist(request);
        request.lease.countClaims(-request.lockCount());
        if (request.waiting != null) {
            countSubtrees(request, -1);
            reserveAnswer(request, -1);
        }
    }

    /** The answer to an upgrade is kept once it comes, and is not small: it needs room while the upgrade waits. */
    private static void reserveAnswer(Request request, int by) {
        Request upgraded = request.waiting == null ? null : request.waiting.upgrades;
        if (upgraded != null) {
            request.lease.countRemembered(by * Result.Granted.bytes(upgraded.holds()));
        }
    }

    void countSubtrees(Request request, int by) {
        for (Claim claim = request; claim != null; claim = claim.next) {
            if (claim.isSubtree()) {
                state.subtreeClaims += by;
            }
        }
    }

    Actor register(Actor actor) {
        state.actors.putIfAbsent(actor.name(), actor);
        return actor;
    }

    void forgetIfIdle(Actor actor) {
        if (actor.waits.isEmpty() && actor.holdCount() == 0) {
            state.actors.remove(actor.name());
        }
    }
}
