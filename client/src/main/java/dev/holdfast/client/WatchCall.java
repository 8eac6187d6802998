package dev.holdfast.client;

import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.Subscription;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.watch.WatchOptions;
import dev.holdfast.client.watch.Watches;
import dev.holdfast.protocol.Cursor;
import java.util.function.Consumer;

/**
 * A watch that is being put together. Made by {@link HoldfastClient#watch}.
 *
 * <p>By default it watches one key, for grants, their changes and their ends, from now on: everything that happens
 * after {@link #open} or {@link #listen} has returned is seen.
 */
public final class WatchCall {
    private final Watches watches;
    private WatchOptions options;

    WatchCall(Watches watches, String key) {
        this.watches = watches;
        this.options = WatchOptions.of(key);
    }

    /** Watches every key that starts with the given text; the empty text means every key. */
    public WatchCall prefix() {
        options = options.withPrefix();
        return this;
    }

    /**
     * Goes on behind a cursor: what has happened since comes first.
     *
     * @param cursor from {@link WatchEvent#cursor}, {@link Watch#cursor} or {@link CompactedException#next}; if a backup
     *     was restored since, the watch ends with {@link CompactedException}
     */
    public WatchCall from(String cursor) {
        options = options.from(
                Cursor.parse(cursor).orElseThrow(() -> new IllegalArgumentException("from: is no cursor: " + cursor)));
        return this;
    }

    /**
     * Starts at this revision: what has happened since comes first.
     *
     * <p>Only for clusters that were never restored from a backup: in others it cannot be known what a revision without
     * its epoch means, and the watch ends with {@link CompactedException}. A {@linkplain #from(String) cursor} can be
     * kept.
     */
    public WatchCall from(long revision) {
        if (revision < 1) {
            throw new IllegalArgumentException("from: must be at least 1, is " + revision);
        }
        options = options.from(revision);
        return this;
    }

    /** Also delivers who joins and leaves the queue, and when a lock-delay ends. */
    public WatchCall allEvents() {
        options = options.withAllEvents();
        return this;
    }

    /** Adds the grant as it was before each event. */
    public WatchCall previous() {
        options = options.withPrevious();
        return this;
    }

    /**
     * Starts watching.
     *
     * @throws UnavailableException if no node can be reached; once started, a watch survives that
     */
    public Watch open() throws InterruptedException {
        return watches.open(options);
    }

    /** Like {@link #listen(Consumer, Consumer)}; if the watch ends by itself, that is logged. */
    public Subscription listen(Consumer<WatchEvent> listener) throws InterruptedException {
        return watches.listen(options, listener);
    }

    /**
     * Starts watching and calls back with each event: one at a time, in order, on a callback thread. A listener that
     * blocks delays only its own watch; one that throws still gets the next event.
     *
     * @param ended called once if the watch ends by itself, with {@link CompactedException} or because the cluster
     *     refuses it; not called when the watch or the client is closed
     * @return a subscription whose close ends the watch: no call starts afterwards
     */
    public Subscription listen(Consumer<WatchEvent> listener, Consumer<RuntimeException> ended)
            throws InterruptedException {
        return watches.listen(options, listener, ended);
    }
}
