package dev.holdfast.core.model;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command.GrantLease;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.image.RequestImage.State;
import dev.holdfast.core.image.TombstoneImage;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** All that changes leases, requests and lock records: each transition takes a revision and makes one event. */
final class NaiveTransitions {
    private final NaiveState state;

    NaiveTransitions(NaiveState state) {
        this.state = state;
    }

    NaiveLease startLease(GrantLease asked) {
        long revision = nextRevision();
        NaiveLease lease = new NaiveLease(
                asked.lease(),
                asked.principal(),
                asked.clientId(),
                asked.ttlMillis(),
                asked.lockDelayMillis(),
                revision,
                state.wallMillis);
        state.setEnd(lease, state.now + asked.ttlMillis());
        state.leases.add(lease);
        publish(new Event.LeaseStarted(
                revision, state.now, state.wallMillis, lease.id, lease.clientId, asked.ttlMillis()));
        return lease;
    }

    void extendLease(NaiveLease lease, long additionalMillis) {
        long revision = nextRevision();
        state.setEnd(lease, lease.endMillis + additionalMillis);
        lease.totalTtlMillis += additionalMillis;
        publish(new Event.LeaseExtended(
                revision,
                state.now,
                state.wallMillis,
                lease.id,
                lease.clientId,
                lease.totalTtlMillis,
                lease.endMillis));
    }

    /** Closes a lease: it is due from now on. Then ends as much of it as the entry in hand still may. */
    void closeLease(NaiveLease lease, EndReason reason, Runnable grantPass) {
        List<NaiveRequest> live = state.live(lease);
        EndReason why = lease.ending == null ? reason : lease.ending;
        if (state.endsLeft > live.size() || (state.has(PlantedBug.REVOKE_ENDS_ALL) && why == EndReason.LEASE_REVOKED)) {
            state.endsLeft -= 1 + live.size();
            endLease(lease, why, grantPass);
            return;
        }
        lease.ending = why;
        if (!state.has(PlantedBug.CLOSED_LEASE_SERVES)) {
            lease.endTick = Math.min(lease.endTick, state.now / NaiveState.TICK_MILLIS);
        }
        if (!state.has(PlantedBug.CLOSED_LEASE_KEEPS_ANSWERS)) {
            lease.finished.clear();
            lease.extensions.clear();
        }
        List<NaiveRequest> inOrder = new ArrayList<>();
        live.stream()
                .filter(request -> request.waits() || state.has(PlantedBug.PORTION_BY_AGE))
                .forEach(inOrder::add);
        live.stream().filter(request -> !inOrder.contains(request)).forEach(inOrder::add);
        for (NaiveRequest request : inOrder) {
            if (state.endsLeft > 0) {
                state.endsLeft--;
                endWithLease(request, why);
            }
        }
    }

    private void endWithLease(NaiveRequest request, EndReason reason) {
        if (!state.requests.contains(request)) {
            return;
        }
        if (request.waits()) {
            leave(request, reason);
        } else {
            release(request, reason, "");
        }
    }

    /** Waiters leave, grants are released, then the lease ends: several transitions. */
    void endLease(NaiveLease lease, EndReason reason, Runnable grantPass) {
        List<NaiveRequest> live = state.live(lease);
        List<NaiveRequest> waiting = live.stream().filter(NaiveRequest::waits).toList();
        List<NaiveRequest> held = live.stream().filter(NaiveRequest::isHeld).toList();
        if (state.has(PlantedBug.DEAD_WAITER_GRANTED)) {
            waiting.stream().filter(NaiveRequest::isUpgrade).forEach(request -> leave(request, reason));
            held.forEach(request -> release(request, reason, ""));
            grantPass.run();
            waiting.stream()
                    .filter(request -> !request.isUpgrade() && request.waits())
                    .forEach(request -> leave(request, reason));
            waiting.stream().filter(NaiveRequest::isHeld).forEach(request -> release(request, reason, ""));
        } else {
            waiting.forEach(request -> leave(request, reason));
            held.forEach(request -> release(request, reason, ""));
        }
        state.leases.remove(lease);
        state.tombstones.add(new TombstoneImage(lease.id, lease.principal, reason, state.now));
        publish(new Event.LeaseEnded(nextRevision(), state.now, state.wallMillis, lease.id, lease.clientId, reason));
    }

    void enqueue(NaiveRequest request) {
        long revision = nextRevision();
        request.revision = revision;
        request.sinceMillis = state.now;
        request.wallMillis = state.wallMillis;
        state.requests.add(request);
        for (Item item : request.items) {
            NaiveLock lock = lockFor(item, revision);
            if (state.has(PlantedBug.ENQUEUE_COUNTS_AS_VERSION)) {
                lock.version++;
            }
        }
        publish(new Event.Queued(revision, state.now, state.wallMillis, request.party(), request.holds()));
    }

    void leave(NaiveRequest request, EndReason reason) {
        long revision = state.has(PlantedBug.LEAVE_WITHOUT_REVISION) ? state.revision : nextRevision();
        state.requests.remove(request);
        dropUnusedLocks();
        switch (reason) {
            case TIMEOUT ->
                finishRefused(request, Refusal.TIMEOUT, request.firstKey().toString());
            case CANCELLED -> finishRefused(request, Refusal.CANCELLED, "seq");
            case GRANT_ENDED ->
                finishRefused(request, Refusal.GRANT_ENDED, request.firstKey().toString());
            default -> {
                // The lease ends, and its answers are forgotten with it.
            }
        }
        publish(new Event.Left(revision, state.now, state.wallMillis, request.party(), request.holds(), reason));
    }

    private static void finishRefused(NaiveRequest request, Refusal code, String subject) {
        request.lease.finish(request.seq, new Result.Refused(code, subject));
    }

    /** Grants a request that waits or has just arrived. */
    void grant(NaiveRequest request) {
        if (request.isUpgrade()) {
            grantUpgrade(request);
            return;
        }
        boolean waited = request.revision != NaiveRequest.UNDECIDED;
        long queuedRevision = waited ? request.revision : 0;
        long revision = nextRevision();
        request.token = newToken(request, queuedRevision, revision);
        request.revision = revision;
        takeSlots(request);
        request.state = State.HELD;
        request.sinceMillis = state.now;
        request.wallMillis = state.wallMillis;
        request.endMillis = request.maxHoldMillis > 0 ? state.now + request.maxHoldMillis : 0;
        request.maxHoldMillis = 0;
        if (waited && request.leaseCoversWait && !state.has(PlantedBug.LEASE_NOT_RESET_AT_GRANT)) {
            state.setEnd(request.lease, state.now + request.lease.grantedTtlMillis);
        }
        request.leaseCoversWait = false;
        if (!waited) {
            state.requests.add(request);
        }
        for (Item item : request.items) {
            NaiveLock lock = lockFor(item, revision);
            lock.modRevision = revision;
            lock.version++;
        }
        publish(new Event.Granted(
                revision,
                state.now,
                state.wallMillis,
                request.party(),
                request.holds(),
                request.fencingToken(),
                queuedRevision,
                request.lease.endMillis,
                request.endMillis,
                request.purpose,
                request.metadata));
    }

    private long newToken(NaiveRequest request, long queuedRevision, long revision) {
        if (state.has(PlantedBug.TOKEN_FROM_ENQUEUE) && queuedRevision != 0) {
            return FencingToken.of(state.epoch, queuedRevision).value();
        }
        if (state.has(PlantedBug.READERS_SHARE_TOKEN)
                && !request.has(Mode.EXCLUSIVE)
                && !state.events.isEmpty()
                && state.events.get(state.events.size() - 1) instanceof Event.Granted last
                && last.holds().stream().allMatch(hold -> hold.mode() == Mode.SHARED)) {
            return last.token().value();
        }
        return FencingToken.of(state.epoch, revision).value();
    }

    private void takeSlots(NaiveRequest request) {
        for (Item item : request.items) {
            if (item.kind() == Kind.PERMITS) {
                List<Integer> free = freeSlots(item);
                int from = state.has(PlantedBug.HIGHEST_SLOT) ? free.size() - item.count() : 0;
                request.slots.put(item.key(), List.copyOf(free.subList(from, from + item.count())));
            }
        }
    }

    private List<Integer> freeSlots(Item item) {
        List<Integer> free = new ArrayList<>();
        for (int slot = 0; slot < item.capacity(); slot++) {
            free.add(slot);
        }
        for (NaiveRequest holder : state.holders()) {
            free.removeAll(holder.slots.getOrDefault(item.key(), List.of()));
        }
        return free;
    }

    private void grantUpgrade(NaiveRequest upgrade) {
        NaiveRequest grant = state.requests.stream()
                .filter(request -> request == upgrade.upgrades)
                .findFirst()
                .orElseThrow();
        long revision = nextRevision();
        FencingToken previous = grant.fencingToken();
        state.requests.remove(upgrade);
        touch(grant, revision);
        grant.setMode(Mode.EXCLUSIVE);
        grant.revision = revision;
        if (!state.has(PlantedBug.UPGRADE_KEEPS_TOKEN)) {
            grant.token = FencingToken.of(state.epoch, revision).value();
        }
        upgrade.lease.finish(upgrade.seq, granted(grant));
        publish(new Event.ModeChanged(
                revision,
                state.now,
                state.wallMillis,
                grant.party(),
                grant.holds(),
                grant.fencingToken(),
                previous,
                upgrade.seq));
    }

    void downgrade(NaiveRequest grant) {
        long revision = nextRevision();
        touch(grant, revision);
        grant.setMode(Mode.SHARED);
        publish(new Event.ModeChanged(
                revision,
                state.now,
                state.wallMillis,
                grant.party(),
                grant.holds(),
                grant.fencingToken(),
                grant.fencingToken(),
                0));
    }

    void describe(NaiveRequest grant, Metadata metadata) {
        long revision = state.has(PlantedBug.DESCRIBE_WITHOUT_REVISION) ? state.revision : nextRevision();
        if (state.has(PlantedBug.DESCRIBE_CHANGES_ONE_KEY)) {
            touch(grant.firstKey(), revision);
        } else {
            touch(grant, revision);
        }
        grant.metadata = metadata;
        publish(new Event.Described(
                revision, state.now, state.wallMillis, grant.party(), grant.holds(), grant.fencingToken(), metadata));
    }

    /** A waiting upgrade leaves first, with a transition of its own. */
    void release(NaiveRequest grant, EndReason reason, String detail) {
        state.waitingUpgradeOf(grant).ifPresent(upgrade -> leave(upgrade, EndReason.GRANT_ENDED));
        long revision = nextRevision();
        List<Hold> holds = grant.holds();
        touch(grant, revision);
        if (reason.isLoss() && grant.lease.lockDelayMillis > 0 && !state.has(PlantedBug.LOCK_DELAY_FORGOTTEN)) {
            grant.state = State.LINGERING;
            grant.endMillis = state.now + grant.lease.lockDelayMillis;
        } else {
            state.requests.remove(grant);
            dropUnusedLocks();
        }
        grant.lease.finish(grant.seq, new Result.Ended(grant.fencingToken(), reason));
        publish(new Event.Released(
                revision, state.now, state.wallMillis, grant.party(), holds, grant.fencingToken(), reason, detail));
    }

    void endLingering(NaiveRequest lost) {
        long revision = nextRevision();
        touch(lost, revision);
        state.requests.remove(lost);
        dropUnusedLocks();
        publish(new Event.DelayEnded(revision, state.now, state.wallMillis, lost.party(), lost.holds()));
    }

    /** What a grant has now. */
    static Result.Granted granted(NaiveRequest grant) {
        return new Result.Granted(grant.fencingToken(), grant.holds(), grant.lease.endMillis, grant.endMillis);
    }

    private long nextRevision() {
        return ++state.revision;
    }

    private void publish(Event event) {
        state.events.add(event);
        state.history.add(event);
        state.trimHistory();
    }

    private NaiveLock lockFor(Item item, long revision) {
        return state.lock(item.key()).orElseGet(() -> {
            NaiveLock made = new NaiveLock(item.key(), item.capacity(), revision);
            state.locks.add(made);
            return made;
        });
    }

    private void touch(NaiveRequest grant, long revision) {
        grant.items.forEach(item -> touch(item.key(), revision));
    }

    private void touch(LockKey key, long revision) {
        NaiveLock lock = state.lock(key).orElseThrow();
        lock.modRevision = revision;
        lock.version++;
    }

    private void dropUnusedLocks() {
        Set<LockKey> used = new TreeSet<>();
        for (NaiveRequest request : state.requests) {
            request.items.forEach(item -> used.add(item.key()));
        }
        state.locks.removeIf(lock -> !used.contains(lock.key));
    }
}
