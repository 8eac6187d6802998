package dev.holdfast.client;

import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.Subscription;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.watch.WatchOptions;
import dev.holdfast.client.watch.Watches;
import java.util.function.Consumer;

/**
 * What is to be watched, before it is. Made by {@link HoldfastClient#watch}.
 *
 * <p>Without more, a watch is of one key, of grants and their changes and ends, from now on: what happens after
 * {@link #open} or {@link #listen} has returned is seen.
 */
public final class WatchCall {
    private final Watches watches;
    private WatchOptions options;

    WatchCall(Watches watches, String key) {
        this.watches = watches;
        this.options = WatchOptions.of(key);
    }

    /** Every key that starts so; the empty text is every key. */
    public WatchCall prefix() {
        options = options.withPrefix();
        return this;
    }

    /** From this revision on: what has happened since comes first. */
    public WatchCall from(long revision) {
        if (revision < 1) {
            throw new IllegalArgumentException("from: must be at least 1, is " + revision);
        }
        options = options.from(revision);
        return this;
    }

    /** Also who queues up and leaves, and when a lock-delay ends. */
    public WatchCall allEvents() {
        options = options.withAllEvents();
        return this;
    }

    /** With the grant as it was before each event. */
    public WatchCall previous() {
        options = options.withPrevious();
        return this;
    }

    /**
     * Begins to watch.
     *
     * @throws UnavailableException if no node can be reached; once it has begun, a watch outlasts that
     */
    public Watch open() throws InterruptedException {
        return watches.open(options);
    }

    /** As {@link #listen(Consumer, Consumer)}; should the watch end by itself, that is logged. */
    public Subscription listen(Consumer<WatchEvent> listener) throws InterruptedException {
        return watches.listen(options, listener);
    }

    /**
     * Begins to watch and calls back with each event: one at a time, in order, on a callback thread. A listener that
     * blocks holds up its own watch and nothing else; one that throws gets the next event all the same.
     *
     * @param ended told once if the watch ends by itself, which it does with {@link CompactedException} or when the
     *     cluster refuses it; not when it or the client is closed
     * @return ends the watch: no call begins afterwards
     */
    public Subscription listen(Consumer<WatchEvent> listener, Consumer<RuntimeException> ended)
            throws InterruptedException {
        return watches.listen(options, listener, ended);
    }
}
