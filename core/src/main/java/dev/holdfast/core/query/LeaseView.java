package dev.holdfast.core.query;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import java.util.List;

/**
 * A lease as its owner sees it.
 *
 * @param leftMillis how long it lives unless renewed
 * @param held what it holds, oldest grant first
 * @param tokens its grants, oldest first; one that was lost and only keeps its keys closed is not among them
 * @param awaited what it waits for, oldest first
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
        List<FencingToken> tokens,
        List<Hold> awaited) {

    public LeaseView {
        held = List.copyOf(held);
        tokens = List.copyOf(tokens);
        awaited = List.copyOf(awaited);
    }
}
