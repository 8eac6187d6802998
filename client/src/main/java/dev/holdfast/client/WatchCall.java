package dev.holdfast.client;

import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.WatchWish;
import java.util.function.Consumer;

/**
 * What is to be watched, before it is. Made by {@link HoldfastClient#watch}.
 *
 * <p>Without more, a watch is of one key, of grants and their changes and ends, from now on: what happens after
 * {@link #open} or {@link #listen} has returned is seen.
 */
public final class WatchCall {
    private final Session session;
    private WatchWish wish;

    WatchCall(Session session, String key) {
        this.session = session;
        this.wish = WatchWish.of(key);
    }

    /** Every key that starts so; the empty text is every key. */
    public WatchCall prefix() {
        wish = wish.withPrefix();
        return this;
    }

    /** From this revision on: what has happened since comes first. */
    public WatchCall from(long revision) {
        if (revision < 1) {
            throw new IllegalArgumentException("from: must be at least 1, is " + revision);
        }
        wish = wish.from(revision);
        return this;
    }

    /** Also who queues up and leaves, and when a lock-delay ends. */
    public WatchCall allEvents() {
        wish = wish.withAllEvents();
        return this;
    }

    /** With the grant as it was before each event. */
    public WatchCall previous() {
        wish = wish.withPrevious();
        return this;
    }

    /**
     * Begins to watch.
     *
     * @throws UnavailableException if no node can be reached; once it has begun, a watch outlasts that
     */
    public Watch open() throws InterruptedException {
        return session.watching().open(wish);
    }

    /** As {@link #listen(Consumer, Consumer)}; should the watch end by itself, that is logged. */
    public Subscription listen(Consumer<WatchEvent> listener) throws InterruptedException {
        return session.watching().listen(wish, listener);
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
        return session.watching().listen(wish, listener, ended);
    }
}
