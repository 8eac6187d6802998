package dev.holdfast.core.image;

import dev.holdfast.core.event.Event;
import java.util.List;

/**
 * The whole state as a value: what two nodes that applied the same entries have in common.
 *
 * @param tombstones in the order in which the leases ended
 * @param history the events that are kept, by revision
 * @param leases by id as an unsigned number
 * @param locks by key
 */
public record StateImage(
        HeaderImage header,
        List<TombstoneImage> tombstones,
        List<Event> history,
        List<LeaseImage> leases,
        List<LockImage> locks) {

    public StateImage {
        tombstones = List.copyOf(tombstones);
        history = List.copyOf(history);
        leases = List.copyOf(leases);
        locks = List.copyOf(locks);
    }
}
