package dev.holdfast.core.image;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.result.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lease as a value.
 *
 * @param totalTtlMillis the granted TTL and all extensions
 * @param endMillis when it ends in cluster time, as its client may count on it
 * @param endTick when the machine ends it, on the deadline grid
 * @param ending why it is closed and only waits for what it holds to end; null while it is not
 * @param finished answers that are not acknowledged yet, by ascending seq; then those to extensions, all of them {@link
 *     Result.LeaseGranted}, by ascending request id
 */
public record LeaseImage(
        LeaseId id,
        String principal,
        String clientId,
        long grantedTtlMillis,
        long totalTtlMillis,
        long endMillis,
        long endTick,
        long lockDelayMillis,
        long startRevision,
        long startedWallMillis,
        long ackedBelow,
        @Nullable EndReason ending,
        List<Finished> finished) {

    public LeaseImage {
        finished = List.copyOf(finished);
    }

    /** The answer that a request id has for good. */
    public record Finished(long seq, Result.Final result) {}
}
