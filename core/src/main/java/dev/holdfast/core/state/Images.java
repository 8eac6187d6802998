package dev.holdfast.core.state;

import dev.holdfast.core.image.HeaderImage;
import dev.holdfast.core.image.LeaseImage;
import dev.holdfast.core.image.LockImage;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.TombstoneImage;
import java.util.ArrayList;
import java.util.List;

/** The state as values. */
public final class Images {
    private Images() {}

    public static HeaderImage of(State state) {
        return new HeaderImage(
                state.epoch,
                state.revision,
                state.now,
                state.featureLevel,
                state.quarantineEndMillis,
                state.history.floor(),
                state.untried.sweptBelow(),
                state.untried.sweepEnd(),
                state.limits);
    }

    public static TombstoneImage of(Tombstones.Tombstone stone) {
        return new TombstoneImage(stone.id(), stone.principal(), stone.reason(), stone.endedAtMillis());
    }

    public static LeaseImage of(Lease lease) {
        List<LeaseImage.Finished> finished = new ArrayList<>(lease.finished().size());
        lease.finished().forEach((seq, result) -> finished.add(new LeaseImage.Finished(seq, result)));
        lease.extensions().forEach((id, result) -> finished.add(new LeaseImage.Finished(id, result)));
        return new LeaseImage(
                lease.id(),
                lease.principal,
                lease.clientId,
                lease.grantedTtlMillis,
                lease.totalTtlMillis,
                lease.endMillis,
                lease.tick(),
                lease.lockDelayMillis,
                lease.startRevision,
                lease.startedWallMillis,
                lease.ackedBelow,
                lease.ending,
                finished);
    }

    public static LockImage of(Lock lock) {
        List<RequestImage> requests = new ArrayList<>(lock.holderCount() + lock.waiterCount());
        for (int i = 0; i < lock.holderCount(); i++) {
            addIfFirst(lock.holder(i), requests);
        }
        for (int i = 0; i < lock.waiterCount(); i++) {
            addIfFirst(lock.waiter(i), requests);
        }
        return new LockImage(
                lock.key,
                lock.capacity,
                lock.createRevision,
                lock.modRevision,
                lock.version,
                lock.untriedRank(),
                lock.isUntriedAgain(),
                requests);
    }

    /** The lock without those who hold or await it: they are records of their own. */
    public static LockImage alone(Lock lock) {
        return new LockImage(
                lock.key,
                lock.capacity,
                lock.createRevision,
                lock.modRevision,
                lock.version,
                lock.untriedRank(),
                lock.isUntriedAgain(),
                List.of());
    }

    /** A request of several claims is written once, with the first of its keys. */
    private static void addIfFirst(Claim claim, List<RequestImage> requests) {
        if (claim instanceof Request request) {
            requests.add(of(request));
        }
    }

    public static RequestImage of(Request request) {
        Waiting waiting = request.waiting;
        RequestImage.State state = waiting != null
                ? RequestImage.State.WAITING
                : request.lingering ? RequestImage.State.LINGERING : RequestImage.State.HELD;
        return new RequestImage(
                request.lease.id(),
                request.lease.clientId,
                state,
                request.seq(),
                request.revision,
                request.owner,
                request.actor == null ? 0 : request.actor.name().number(),
                request.holds(),
                request.sinceMillis,
                request.wallMillis,
                waiting != null ? waiting.endMillis() : request.holdEndMillis(),
                waiting != null ? waiting.maxHoldMillis : 0,
                waiting != null && waiting.parkedOn != null ? waiting.parkedOn.key : null,
                waiting != null && waiting.upgrades != null ? waiting.upgrades.revision : 0,
                waiting != null && waiting.leaseCoversWait,
                waiting == null || waiting.deadlockChecked,
                request.purpose,
                request.metadata);
    }
}
