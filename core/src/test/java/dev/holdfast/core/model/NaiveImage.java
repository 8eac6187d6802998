package dev.holdfast.core.model;

import dev.holdfast.core.LockKey;
import dev.holdfast.core.image.HeaderImage;
import dev.holdfast.core.image.LeaseImage;
import dev.holdfast.core.image.LockImage;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.StateImage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The model's state as the value that both machines give. */
final class NaiveImage {
    /** The model tries every waiter each time: it knows neither where one is parked nor who is still to be tried. */
    private static final long NOBODY = Long.MAX_VALUE;

    private NaiveImage() {}

    static StateImage of(NaiveState state) {
        HeaderImage header = new HeaderImage(
                state.epoch,
                state.revision,
                state.now,
                state.featureLevel,
                state.quarantineEnd,
                state.history.isEmpty()
                        ? state.revision + 1
                        : state.history.get(0).revision(),
                Long.MIN_VALUE,
                0,
                state.limits);
        List<LeaseImage> leases = state.leases.stream()
                .sorted(Comparator.comparing(lease -> lease.id.value(), Long::compareUnsigned))
                .map(NaiveImage::lease)
                .toList();
        List<LockImage> locks = state.locks.stream()
                .sorted(Comparator.comparing(lock -> lock.key))
                .map(lock -> lock(state, lock))
                .toList();
        return new StateImage(header, state.tombstones, state.history, leases, locks);
    }

    private static LeaseImage lease(NaiveLease lease) {
        List<LeaseImage.Finished> finished = Stream.concat(
                        lease.finished.entrySet().stream(), lease.extensions.entrySet().stream())
                .map(entry -> new LeaseImage.Finished(entry.getKey(), entry.getValue()))
                .toList();
        return new LeaseImage(
                lease.id,
                lease.principal,
                lease.clientId,
                lease.grantedTtlMillis,
                lease.totalTtlMillis,
                lease.endMillis,
                lease.endTick,
                lease.lockDelayMillis,
                lease.startRevision,
                lease.startedWallMillis,
                lease.ackedBelow,
                lease.ending,
                finished);
    }

    private static LockImage lock(NaiveState state, NaiveLock lock) {
        List<RequestImage> requests = new ArrayList<>();
        addThoseOf(lock.key, state.holders(), requests);
        addThoseOf(lock.key, state.waiters(), requests);
        return new LockImage(
                lock.key, lock.capacity, lock.createRevision, lock.modRevision, lock.version, NOBODY, false, requests);
    }

    private static void addThoseOf(LockKey key, List<NaiveRequest> from, List<RequestImage> to) {
        for (NaiveRequest request : from) {
            if (request.firstKey().equals(key)) {
                to.add(request(request));
            }
        }
    }

    private static RequestImage request(NaiveRequest request) {
        return new RequestImage(
                request.lease.id,
                request.lease.clientId,
                request.state,
                request.seq,
                request.revision,
                request.owner,
                request.actor,
                request.holds(),
                request.sinceMillis,
                request.wallMillis,
                request.endMillis,
                request.maxHoldMillis,
                null,
                request.upgrades == null ? 0 : request.upgrades.revision,
                request.leaseCoversWait,
                true,
                request.purpose,
                request.metadata);
    }
}
