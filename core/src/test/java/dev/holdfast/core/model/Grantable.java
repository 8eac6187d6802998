package dev.holdfast.core.model;

import dev.holdfast.core.Hold;
import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.image.LeaseImage;
import dev.holdfast.core.image.LockImage;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.StateImage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Those who wait although the naive rules would grant them what they ask for: nobody, once a pass has come to its end. */
final class Grantable {
    private final NaiveState state = new NaiveState(Set.of());
    private final Map<LockKey, Integer> capacities = new HashMap<>();
    private final Map<Long, NaiveRequest> holders = new HashMap<>();

    private Grantable(StateImage image) {
        state.now = image.header().now();
        state.revision = image.header().revision();
        state.quarantineEnd = image.header().quarantineEndMillis();
        state.limits = image.header().limits();
        image.leases().forEach(lease -> state.leases.add(lease(lease)));
        for (LockImage lock : image.locks()) {
            capacities.put(lock.key(), lock.capacity());
            state.locks.add(new NaiveLock(lock.key(), lock.capacity(), lock.createRevision()));
        }
        add(image, false);
        add(image, true);
    }

    static List<String> in(StateImage image) {
        Grantable grantable = new Grantable(image);
        NaiveRules rules = new NaiveRules(grantable.state);
        return grantable.state.waiters().stream()
                .filter(rules::isGrantable)
                .map(request -> request.revision + " " + request.holds())
                .toList();
    }

    private static NaiveLease lease(LeaseImage image) {
        NaiveLease lease = new NaiveLease(
                image.id(),
                image.principal(),
                image.clientId(),
                image.grantedTtlMillis(),
                image.lockDelayMillis(),
                image.startRevision(),
                image.startedWallMillis());
        lease.endMillis = image.endMillis();
        lease.endTick = image.endTick();
        return lease;
    }

    private void add(StateImage image, boolean waiting) {
        for (LockImage lock : image.locks()) {
            for (RequestImage request : lock.requests()) {
                if (waiting == (request.state() == RequestImage.State.WAITING)) {
                    add(request);
                }
            }
        }
    }

    private void add(RequestImage image) {
        List<Item> items = new ArrayList<>();
        for (Hold hold : image.claims()) {
            int capacity = capacities.getOrDefault(hold.key(), 0);
            items.add(new Item(
                    hold.key(),
                    hold.kind(),
                    hold.mode(),
                    capacity,
                    hold.permits().count()));
        }
        // What lingers has outlived its lease, and asks nothing of it.
        NaiveLease lease = state.lease(image.lease().value())
                .orElseGet(() -> new NaiveLease(image.lease(), "", image.clientId(), 0, 0, 0, 0));
        @Nullable NaiveRequest upgraded = holders.get(image.upgrades());
        NaiveRequest request = new NaiveRequest(
                lease, image.seq(), items, image.owner(), image.actor(), image.purpose(), image.metadata(), upgraded);
        request.state = image.state();
        request.revision = image.revision();
        request.endMillis = image.endMillis();
        if (!request.waits()) {
            holders.put(image.revision(), request);
            for (Item item : items) {
                if (item.kind() == Kind.PERMITS) {
                    request.slots.put(item.key(), Collections.nCopies(item.count(), 0));
                }
            }
        }
        state.requests.add(request);
    }
}
