package dev.holdfast.core.result;

import dev.holdfast.core.event.Event;
import java.util.Arrays;
import java.util.List;

/**
 * What applying one batch gave.
 *
 * @param now the cluster time at which it was applied
 * @param renewedEnds for each renewal the lease's end in cluster time, or {@link #NOT_RENEWED}
 * @param results one for each command, in order
 * @param events what happened, in revision order
 */
// The arrays are handed over, and equals() compares their contents.
@SuppressWarnings("ArrayRecordComponent")
public record Applied(long now, long revision, long[] renewedEnds, List<Result> results, List<Event> events) {
    /** In place of a lease's end: there is no such lease. */
    public static final long NOT_RENEWED = -1;

    @Override
    public boolean equals(Object other) {
        return other instanceof Applied applied
                && now == applied.now
                && revision == applied.revision
                && Arrays.equals(renewedEnds, applied.renewedEnds)
                && results.equals(applied.results)
                && events.equals(applied.events);
    }

    @Override
    public int hashCode() {
        return 31 * events.hashCode() + results.hashCode();
    }
}
