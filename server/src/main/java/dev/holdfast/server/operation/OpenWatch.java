package dev.holdfast.server.operation;

import dev.holdfast.server.watch.WatchFeed;
import dev.holdfast.server.watch.WatchSpec;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One watch of a stream: what its client asked for, and how far it has come. Confined to the stream's event loop. */
final class OpenWatch {
    final Watches.Options options;
    private final WatchSpec spec;

    @Nullable
    WatchFeed feed;

    @Nullable
    Future<?> retryTimer;

    boolean progressDue;

    /** Everything below was delivered. */
    long resumeRevision;

    /** How long it has waited for this node to come to its start. */
    long aheadMillis;

    /**
     * A watch that is not open.
     *
     * @param spec what the options ask for, with its epoch
     * @param from the first revision it is told
     */
    OpenWatch(Watches.Options options, WatchSpec spec, long from) {
        this.options = options;
        this.spec = spec;
        this.resumeRevision = from;
    }

    long id() {
        return options.id();
    }

    WatchSpec spec() {
        return spec;
    }

    WatchFeed feed() {
        if (feed == null) {
            throw new IllegalStateException("watch " + id() + " was never opened");
        }
        return feed;
    }

    void stopTimer() {
        if (retryTimer != null) {
            retryTimer.cancel(false);
        }
    }
}
