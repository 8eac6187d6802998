package dev.holdfast.core.state;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.image.HeaderImage;
import dev.holdfast.core.image.LeaseImage;
import dev.holdfast.core.image.LockImage;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.TombstoneImage;
import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.time.Deadlines;
import dev.holdfast.core.time.Timer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a state out of images, which come in the order of a snapshot: header, tombstones, events,
 * leases, locks with the requests whose first key each is.
 *
 * <p>A set's claims may lie on locks that come later, and an upgrade belongs to a grant that may: so sets
 * are tied to their locks, and waiters queued, when all locks are there.
 */
public final class StateLoader {
    private final State state;
    private final Ledger ledger;
    private final List<Request> sets = new ArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private final List<LockImage> open = new ArrayList<>();

    /** The lock that came last: the requests that follow are its own. */
    private @Nullable Lock lastLock;

    public StateLoader(KeyedHash hash) {
        this.state = new State(hash);
        this.ledger = new Ledger(state);
    }

    private record Waiter(Request request, RequestImage image) {}

    public void header(HeaderImage header) {
        state.epoch = header.epoch();
        state.revision = header.revision();
        state.now = header.now();
        state.featureLevel = header.featureLevel();
        ledger.setLimits(header.limits());
        state.history.restartAfter(header.historyFloor() - 1);
        state.untried.restoreSweep(header.sweptBelow(), header.sweepEnd());
        if (header.quarantineEndMillis() > 0) {
            ledger.quarantineUntil(header.quarantineEndMillis());
        }
    }

    public void tombstone(TombstoneImage stone) {
        Account account = state.accounts.open(stone.principal());
        state.tombstones.add(stone.id(), stone.principal(), account, stone.reason(), stone.endedAtMillis());
    }

    public void event(Event event) {
        state.history.add(event);
    }

    public void lease(LeaseImage image) {
        Lease lease = new Lease(
                image.id(),
                image.principal(),
                state.accounts.open(image.principal()),
                image.clientId(),
                image.grantedTtlMillis(),
                image.lockDelayMillis(),
                image.startRevision(),
                image.startedWallMillis(),
                state.hash());
        lease.totalTtlMillis = image.totalTtlMillis();
        lease.endMillis = image.endMillis();
        lease.ackedBelow = image.ackedBelow();
        lease.ending = image.ending();
        for (LeaseImage.Finished finished : image.finished()) {
            if (finished.result() instanceof Result.LeaseGranted extended) {
                lease.rememberExtension(finished.seq(), extended);
            } else {
                lease.finish(finished.seq(), finished.result());
            }
        }
        state.deadlines.set(lease, image.endTick());
        state.add(lease);
    }

    public void lock(LockImage image) {
        if (image.createRevision() <= 0) {
            throw new IllegalArgumentException("key " + image.key() + " has a record that nobody made");
        }
        Lock lock = lockFor(image.key());
        if (lock.isRecorded()) {
            throw new IllegalArgumentException("key " + image.key() + " has two records");
        }
        lock.capacity = image.capacity();
        lock.createRevision = image.createRevision();
        lock.modRevision = image.modRevision();
        lock.version = image.version();
        lastLock = lock;
        if (image.untriedFrom() != Untried.NOWHERE || image.untriedAgain()) {
            open.add(image);
        }
    }

    /** Somebody who holds or awaits the lock that came last. */
    public void request(RequestImage image) {
        Lock lock = lastLock;
        if (lock == null || !image.claims().get(0).key().equals(lock.key)) {
            throw new IllegalArgumentException("a request does not stand with the first of its keys");
        }
        add(image, lock);
    }

    /** The key of the lock that came last. */
    public LockKey lastLock() {
        if (lastLock == null) {
            throw new IllegalArgumentException("a request comes before all locks");
        }
        return lastLock.key;
    }

    /** The state, once all images were given. */
    public State finish() {
        sets.forEach(StateLoader::tie);
        waiters.sort(Comparator.comparingLong(waiter -> waiter.request.revision));
        waiters.forEach(this::queue);
        waiters.forEach(this::park);
        for (LockImage image : open) {
            Lock lock = lockFor(image.key());
            if (!state.untried.restore(lock, image.untriedFrom(), image.untriedAgain())) {
                throw new IllegalArgumentException("key " + image.key() + " is open where nobody is parked");
            }
        }
        // Whoever was tried there is parked elsewhere: all who are left are still to be tried.
        state.unclaimed.visitFrom(new byte[0], lock -> {
            state.untried.openAll(lock);
            return true;
        });
        check();
        return state;
    }

    /** Whether every record is somebody's, and all who wait will be tried once they can be granted. */
    private void check() {
        state.locks.visitFrom(new byte[0], lock -> {
            if (lock.isUnclaimed()) {
                throw new IllegalArgumentException("key " + lock.key + " has a record, but nobody holds or awaits it");
            }
            return true;
        });
        for (Waiter waiter : waiters) {
            if (!isToBeTried(waiter.request) && !isInNeedOf(waiter.request)) {
                throw new IllegalArgumentException("a request is parked where nobody is in its way");
            }
        }
    }

    private boolean isToBeTried(Request request) {
        Waiting waiting = request.waiting;
        Lock lock = waiting == null ? null : waiting.parkedOn;
        return lock != null
                && (lock.untriedRank() <= request.rank()
                        || (lock.isUntriedAgain() && request.rank() < state.untried.sweptBelow()));
    }

    /** Whether somebody is on the lock where it is parked who may be in its way, or it waits for its own end. */
    private boolean isInNeedOf(Request request) {
        Waiting waiting = request.waiting;
        Lock lock = waiting == null ? null : waiting.parkedOn;
        if (waiting == null || lock == null) {
            return false;
        }
        Request upgraded = waiting.upgrades;
        int own = upgraded != null && upgraded.claimOn(lock) != null ? 1 : 0;
        return lock.holderCount() > own
                || (lock.waiterCount() > 0 && lock.waiter(0).request().rank() < request.rank())
                || (lock == request.lock()
                        && (state.isQuarantined() || request.lease.isDueAt(state.now) || waiting.isDueAt(state.now)));
    }

    private void park(Waiter waiter) {
        LockKey key = waiter.image.parkedOn();
        Waiting waiting = waiter.request.waiting;
        if (key == null || waiting == null) {
            throw new IllegalArgumentException("a waiting request is parked nowhere");
        }
        Lock lock = state.lockOrNew(key);
        if (!lock.isRecorded() && state.unclaimed.get(key.utf8()) == null) {
            state.unclaimed.add(lock);
        }
        waiting.parkedOn = lock;
        lock.crowd().park(waiter.request, waiter.request.claimOn(lock) != null);
    }

    private void add(RequestImage image, Lock firstLock) {
        Request request = build(image, firstLock);
        switch (image.state()) {
            case WAITING -> waiters.add(new Waiter(request, image));
            case HELD -> {
                ledger.enlist(request);
                request.ends = end(Timer.What.HOLD, request, image.endMillis());
                if (request.actor != null) {
                    request.actor.holds.add(request);
                }
            }
            case LINGERING -> {
                request.lingering = true;
                request.ends = end(Timer.What.LINGERING, request, image.endMillis());
                ledger.countSubtrees(request, 1);
            }
        }
        if (image.state() != RequestImage.State.WAITING) {
            if (request.next == null) {
                tie(request);
            } else {
                sets.add(request);
            }
        }
    }

    private static void tie(Request request) {
        for (Claim claim = request; claim != null; claim = claim.next) {
            recorded(claim.lock()).addHolder(claim);
        }
    }

    private void queue(Waiter waiter) {
        Request request = waiter.request;
        RequestImage image = waiter.image;
        Claim upgraded = image.upgrades() == 0 ? null : request.lock().holderWith(image.upgrades());
        if (image.upgrades() != 0 && (upgraded == null || upgraded.request().lease != request.lease)) {
            throw new IllegalArgumentException("a request upgrades grant " + image.upgrades() + ", which is not there");
        }
        Waiting waiting = new Waiting(
                upgraded == null ? null : upgraded.request(),
                image.endMillis() == 0 ? -1 : image.endMillis() - image.sinceMillis(),
                image.maxHoldMillis(),
                image.leaseCoversWait());
        waiting.deadlockChecked = image.deadlockChecked();
        waiting.ends = end(Timer.What.WAIT, request, image.endMillis());
        request.waiting = waiting;
        ledger.enlist(request);
        request.lease.countWaiters(1);
        if (request.actor != null) {
            request.actor.waits.add(request);
        }
        for (Claim claim = request; claim != null; claim = claim.next) {
            recorded(claim.lock()).crowd().addWaiter(claim);
        }
    }

    private static Lock recorded(Lock lock) {
        if (!lock.isRecorded()) {
            throw new IllegalArgumentException("a request names key " + lock.key + ", which has no record");
        }
        return lock;
    }

    private Request build(RequestImage image, Lock firstLock) {
        Lease lease = leaseOf(image);
        Hold first = image.claims().get(0);
        Request request = new Request(
                lease,
                image.seq() == 0 ? -image.revision() : image.seq(),
                image.owner(),
                actorOf(image, lease),
                image.purpose(),
                image.metadata(),
                firstLock,
                first.kind(),
                first.mode() == Mode.EXCLUSIVE);
        request.permits = first.permits();
        request.revision = image.revision();
        request.sinceMillis = image.sinceMillis();
        request.wallMillis = image.wallMillis();
        Claim last = request;
        for (Hold hold : image.claims().subList(1, image.claims().size())) {
            Claim claim = new FurtherClaim(request, lockFor(hold.key()), hold.kind(), hold.mode() == Mode.EXCLUSIVE);
            claim.permits = hold.permits();
            last.next = claim;
            last = claim;
        }
        return request;
    }

    /**
     * The lease of a lingering request may have ended, and its id may have been used again since: its name
     * is all that is left of it.
     */
    private Lease leaseOf(RequestImage image) {
        LeaseId id = image.lease();
        if (image.state() == RequestImage.State.LINGERING) {
            return new Lease(id, "", state.accounts.find(""), image.clientId(), 0, 0, 0, 0, state.hash());
        }
        Lease lease = state.lease(id);
        if (lease == null) {
            throw new IllegalArgumentException("a request names lease " + id + ", which is not there");
        }
        return lease;
    }

    private @Nullable Actor actorOf(RequestImage image, Lease lease) {
        if (image.actor() == 0) {
            return null;
        }
        Actor.Name name = new Actor.Name(lease.principal, lease.clientId, image.actor());
        // A lost holder's actor waits for nothing on its account any more.
        return image.state() == RequestImage.State.LINGERING
                ? new Actor(name, state.hash())
                : state.actors.computeIfAbsent(name, unknown -> new Actor(unknown, state.hash()));
    }

    private Lock lockFor(LockKey key) {
        Lock lock = state.lock(key);
        if (lock == null) {
            lock = new Lock(key);
            state.locks.add(lock);
        }
        return lock;
    }

    private Request.@Nullable End end(Timer.What what, Request request, long endMillis) {
        if (endMillis == 0) {
            return null;
        }
        Request.End end = new Request.End(what, request, endMillis);
        state.deadlines.set(end, Deadlines.tickOf(endMillis));
        return end;
    }
}
