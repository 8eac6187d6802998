package dev.holdfast.server.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** A stream that watches are read for: on one loop, whenever it is its turn. */
public final class WatchReader {
    private final WatchHub hub;
    private final String callerName;
    private final CallerWatches caller;
    private final Executor loop;
    private final Turn turn;

    /** Feeds with something to read; guarded by the caller's monitor. */
    private List<WatchFeed> announced = new ArrayList<>();

    /** Whether it waits for its turn. */
    private final AtomicBoolean wanting = new AtomicBoolean();

    /** What a stream does in its turn. */
    @FunctionalInterface
    public interface Turn {
        /**
         * Reads what can be read until it is time to stop, on the stream's loop.
         *
         * @return whether there is more to read, and room for it
         */
        boolean take(BooleanSupplier over);
    }

    WatchReader(WatchHub hub, String callerName, CallerWatches caller, Executor loop, Turn turn) {
        this.hub = hub;
        this.callerName = callerName;
        this.caller = caller;
        this.loop = loop;
        this.turn = turn;
    }

    /** Asks for a turn. */
    public void want() {
        hub.turns().want(this);
    }

    String callerName() {
        return callerName;
    }

    CallerWatches caller() {
        return caller;
    }

    Executor loop() {
        return loop;
    }

    /** Something can be read. Under the caller's monitor. */
    void announce(WatchFeed feed) {
        announced.add(feed);
        want();
    }

    /** Whether it did not wait for a turn until now. */
    boolean wants() {
        return wanting.compareAndSet(false, true);
    }

    boolean take(BooleanSupplier over) {
        // First, so that whatever is announced from now on leads to another turn.
        wanting.set(false);
        List<WatchFeed> feeds;
        synchronized (caller) {
            feeds = announced;
            announced = new ArrayList<>();
        }
        feeds.forEach(feed -> feed.news.run());
        return turn.take(over);
    }
}
