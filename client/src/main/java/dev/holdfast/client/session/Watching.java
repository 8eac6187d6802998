package dev.holdfast.client.session;

import dev.holdfast.client.HoldfastException;
import dev.holdfast.client.Subscription;
import dev.holdfast.client.Watch;
import dev.holdfast.client.WatchEvent;
import dev.holdfast.protocol.v1.WatchResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The watches of a session, all on its one stream. Confined to the session's turns, but for what is public. */
public final class Watching {
    private static final Logger LOG = LoggerFactory.getLogger(Watching.class);

    /** A node tells of every watch each five seconds; one that misses three of these words is not there any more. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(16);

    private final Session session;
    private final Set<ClusterWatch> open = new LinkedHashSet<>();
    private final Map<Long, ClusterWatch> byNumber = new HashMap<>();
    private long lastNumber;
    private long streams;

    Watching(Session session) {
        this.session = session;
    }

    // What users ask for -----------------------------------------------------------------------------

    /** Begins to watch, and waits until the cluster does. */
    public Watch open(WatchWish wish) throws InterruptedException {
        ClusterWatch watch = new ClusterWatch(session, this, wish, () -> {});
        begin(watch);
        return new BufferedWatch(session, watch);
    }

    /** As {@link #listen(WatchWish, Consumer, Consumer)}; an end of the watch is logged. */
    public Subscription listen(WatchWish wish, Consumer<WatchEvent> listener) throws InterruptedException {
        return listen(wish, listener, end -> LOG.warn("the watch of {} has ended", wish.key(), end));
    }

    /** Begins to watch, waits until the cluster does, and calls back from then on. */
    public Subscription listen(WatchWish wish, Consumer<WatchEvent> listener, Consumer<RuntimeException> ended)
            throws InterruptedException {
        Listening listening = new Listening(session, listener, ended);
        ClusterWatch watch = new ClusterWatch(session, this, wish, listening::signal);
        listening.to(watch);
        begin(watch);
        return listening;
    }

    /** As {@link #listen}, without a thread that waits: the future completes when the cluster has begun. */
    public CompletableFuture<Subscription> listening(
            WatchWish wish, Consumer<WatchEvent> listener, Consumer<RuntimeException> ended) {
        Listening listening = new Listening(session, listener, ended);
        ClusterWatch watch = new ClusterWatch(session, this, wish, listening::signal);
        listening.to(watch);
        submit(watch);
        return watch.created().thenApply(begun -> listening);
    }

    private void begin(ClusterWatch watch) throws InterruptedException {
        submit(watch);
        try {
            var unused = Waiting.interruptibly(watch.created());
        } catch (InterruptedException e) {
            session.turn(watch::leave);
            throw e;
        }
    }

    private void submit(ClusterWatch watch) {
        session.turn(() -> {
            HoldfastException refusal = session.refusal();
            if (refusal != null) {
                watch.barred(refusal);
            } else {
                open.add(watch);
                session.submit(watch);
            }
        });
    }

    // What the watches ask for -----------------------------------------------------------------------

    /** Gives a watch a number of its own for its next opening. */
    long renumber(ClusterWatch watch) {
        byNumber.remove(watch.number());
        byNumber.put(++lastNumber, watch);
        return lastNumber;
    }

    /** Ends a watch at the cluster, by its present number. */
    void cancel(ClusterWatch watch) {
        byNumber.remove(watch.number());
        long stream = streams;
        session.submit(new WatchCancel(watch.number(), () -> stream == streams));
    }

    void ended(ClusterWatch watch) {
        open.remove(watch);
        byNumber.remove(watch.number());
    }

    // What the session tells -------------------------------------------------------------------------

    /** There is a new stream; what has to be said on it. */
    List<Exchange> toRepeat() {
        streams++;
        List<Exchange> repeated = new ArrayList<>();
        for (ClusterWatch watch : open) {
            if (watch.reopens()) {
                repeated.add(watch);
            }
        }
        return repeated;
    }

    void received(WatchResponse response) {
        ClusterWatch watch = byNumber.get(response.getWatchId());
        if (watch != null) {
            watch.received(response);
        }
    }

    boolean isOpen() {
        return !open.isEmpty();
    }

    /** Whether nothing was heard of a watch for so long that the stream cannot be trusted. */
    boolean isSilent(long nowNanos) {
        return open.stream().anyMatch(watch -> watch.isSilentSince(nowNanos - SILENCE_NANOS));
    }

    void close() {
        streams++; // what was to be cancelled ends with the stream
        List.copyOf(open).forEach(ClusterWatch::clientClosed);
    }

    void fail(HoldfastException failure) {
        List.copyOf(open).forEach(watch -> watch.barred(failure));
    }
}
