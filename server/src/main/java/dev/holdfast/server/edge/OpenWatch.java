package dev.holdfast.server.edge;

import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.server.watch.WatchFeed;
import dev.holdfast.server.watch.WatchSpec;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One watch of a stream: what its client asked for, and how far it has come. Confined to the stream's event loop. */
final class OpenWatch {
    final WatchSpec spec;
    private final WatchRequest request;

    @Nullable
    WatchFeed feed;

    @Nullable
    Future<?> progressTimer;

    @Nullable
    Future<?> retryTimer;

    boolean progressDue;

    /** Everything below was delivered. */
    long resumeRevision;

    /** How long it has waited for this node to come to its start. */
    long aheadMillis;

    OpenWatch(WatchRequest request, WatchSpec spec) {
        this.request = request;
        this.spec = spec;
        this.resumeRevision = spec.startRevision();
    }

    long id() {
        return request.getWatchId();
    }

    boolean allEvents() {
        return request.getAllEvents();
    }

    boolean previousValues() {
        return request.getPrevKv();
    }

    boolean progressNotify() {
        return request.getProgressNotify();
    }

    WatchFeed feed() {
        if (feed == null) {
            throw new IllegalStateException("watch " + id() + " was never opened");
        }
        return feed;
    }

    void stopTimers() {
        if (progressTimer != null) {
            progressTimer.cancel(false);
        }
        if (retryTimer != null) {
            retryTimer.cancel(false);
        }
    }
}
