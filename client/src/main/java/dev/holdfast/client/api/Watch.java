package dev.holdfast.client.api;

import java.time.Duration;
import java.util.Optional;

/**
 * What happens to keys, in order, each event once.
 *
 * <p>It goes on by itself after the connection broke, from where it was. A reader that does not keep up is never cut
 * off for it alone: some thousand events wait here, the others in the cluster's history; only if that does not reach
 * back far enough any more does the watch end, with {@link CompactedException}.
 *
 * <p>Safe for use by many threads; each event goes to one of them.
 */
public interface Watch extends AutoCloseable {
    /**
     * Waits for the next event.
     *
     * @throws CompactedException if the events that come next are gone; all that came before have been given out
     * @throws IllegalStateException if the watch is closed, also by another thread while this one waits
     */
    WatchEvent next() throws InterruptedException;

    /** As {@link #next}, but waits no longer than this; empty if nothing came. */
    Optional<WatchEvent> poll(Duration longest) throws InterruptedException;

    /**
     * Where another watch would go on from here ({@link WatchCall#from}): everything below this revision has been given
     * out by this one. While the events of one revision have been given out in part, it is that revision, so that none
     * is lost.
     */
    long resumeRevision();

    /** Ends it, and all calls that wait for an event. */
    @Override
    void close();
}
