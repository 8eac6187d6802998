package dev.holdfast.core.query;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import java.util.List;

/**
 * A lease as its owner sees it.
 *
 * @param leftMillis how long it lives unless renewed
 * @param held what it holds, oldest grant first
 * @param awaited what it waits for, oldest first
 * @param complete false if it holds or awaits more than is told here
 */
public record LeaseView(
        LeaseId id,
        String clientId,
        long grantedTtlMillis,
        long leftMillis,
        long lockDelayMillis,
        long startRevision,
        long startedWallMillis,
        List<Hold> held,
        List<Hold> awaited,
        boolean complete) {

    public LeaseView {
        held = List.copyOf(held);
        awaited = List.copyOf(awaited);
    }
}
