package dev.holdfast.server.watch;

import dev.holdfast.core.event.Event;
import java.util.List;

/** What reading a watch gave. */
public sealed interface WatchRead {
    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    Kind kind();

    /** Every kind of reading. */
    enum Kind {
        EVENTS,
        AHEAD,
        COMPACTED,
        SLOW
    }

    /** Events, perhaps none for now, in revision order; everything below {@code resumeRevision} is delivered. */
    record Events(List<Event> events, long resumeRevision, boolean more) implements WatchRead {
        @Override
        public Kind kind() {
            return Kind.EVENTS;
        }
    }

    /** This node has not come to the start of the watch yet. */
    record Ahead(long revision) implements WatchRead {
        @Override
        public Kind kind() {
            return Kind.AHEAD;
        }
    }

    /** Older revisions than this are gone. */
    record Compacted(long oldestRevision) implements WatchRead {
        @Override
        public Kind kind() {
            return Kind.COMPACTED;
        }
    }

    /** The reader did not keep up. */
    record Slow(long resumeRevision) implements WatchRead {
        @Override
        public Kind kind() {
            return Kind.SLOW;
        }
    }
}
