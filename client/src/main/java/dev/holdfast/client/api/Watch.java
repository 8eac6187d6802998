package dev.holdfast.client.api;

import java.time.Duration;
import java.util.Optional;

/**
 * What happens to keys, in order, each event once.
 *
 * <p>After a broken connection it continues by itself from where it was. A slow reader is not cut off merely for being
 * slow: some thousand events are buffered here, the others are in the cluster's history. Only if the history no longer
 * reaches back far enough does the watch end, with {@link CompactedException}.
 *
 * <p>Thread-safe; each event goes to one thread.
 */
public interface Watch extends AutoCloseable {
    /**
     * Waits for the next event.
     *
     * @throws CompactedException if the next events are gone; all earlier ones have been delivered
     * @throws IllegalStateException if the watch is closed, even by another thread while this one waits
     */
    WatchEvent next() throws InterruptedException;

    /** Like {@link #next}, but waits at most {@code longest}; empty if nothing came. */
    Optional<WatchEvent> poll(Duration longest) throws InterruptedException;

    /**
     * Where another watch could continue ({@link WatchCall#from(String)}): this watch has delivered everything up to
     * there. While only some of a revision's events have been delivered, it is before that revision, so that none is
     * lost. It moves on now and then even if nothing happens to the watched keys.
     */
    String cursor();

    /** Ends the watch, and all calls that wait for an event. */
    @Override
    void close();
}
