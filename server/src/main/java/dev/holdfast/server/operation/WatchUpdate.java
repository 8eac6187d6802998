package dev.holdfast.server.operation;

import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.request.Stamp;
import dev.holdfast.server.watch.KeyEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the reader of a watch is told.
 *
 * @param stamp the state of this node when it was told
 * @param resumeRevision everything below was delivered; 0 where a new watch has to begin elsewhere
 * @param oldestRevision the oldest that is still known, where that is why a watch ended; otherwise 0
 * @param rejection why a watch did not begin, or ended; null where the reader wanted that, or it goes on
 */
public record WatchUpdate(
        Kind kind,
        long watchId,
        Stamp stamp,
        List<KeyEvent> events,
        long resumeRevision,
        long oldestRevision,
        @Nullable Rejection rejection) {

    /** What it is about. */
    public enum Kind {
        /** The watch has begun. */
        OPENED,
        /** The watch did not begin. */
        REFUSED,
        /** Events, perhaps none: then it only says how far the watch has come. */
        EVENTS,
        /** The watch has ended. */
        ENDED
    }

    static WatchUpdate opened(long watchId, Stamp stamp, long resumeRevision) {
        return new WatchUpdate(Kind.OPENED, watchId, stamp, List.of(), resumeRevision, 0, null);
    }

    static WatchUpdate refused(long watchId, Stamp stamp, Rejection why) {
        return new WatchUpdate(Kind.REFUSED, watchId, stamp, List.of(), 0, 0, why);
    }

    static WatchUpdate events(long watchId, Stamp stamp, List<KeyEvent> events, long resumeRevision) {
        return new WatchUpdate(Kind.EVENTS, watchId, stamp, events, resumeRevision, 0, null);
    }

    static WatchUpdate ended(
            long watchId, Stamp stamp, long resumeRevision, long oldestRevision, @Nullable Rejection why) {
        return new WatchUpdate(Kind.ENDED, watchId, stamp, List.of(), resumeRevision, oldestRevision, why);
    }
}
