package dev.holdfast.client.watch;

import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.Subscription;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.session.Exchange;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.SessionPart;
import dev.holdfast.client.session.Waiting;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ServerMessage;
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

/** The watches of a session, all on its one stream. Confined to the session's executor, but for what is public. */
public final class Watches implements SessionPart {
    private static final Logger LOG = LoggerFactory.getLogger(Watches.class);

    /** A node tells of every watch each five seconds; one that misses three of these words is not there any more. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(16);

    private final Session session;
    private final Set<ClusterWatch> open = new LinkedHashSet<>();
    private final Map<Long, ClusterWatch> byNumber = new HashMap<>();
    private long lastNumber;
    private long streams;

    public Watches(Session session) {
        this.session = session;
    }

    // What users ask for -----------------------------------------------------------------------------

    /** Begins to watch, and waits until the cluster does. */
    public Watch open(WatchOptions options) throws InterruptedException {
        ClusterWatch watch = new ClusterWatch(session, this, options, () -> {});
        begin(watch);
        return new BufferedWatch(session, watch);
    }

    /** As {@link #listen(WatchOptions, Consumer, Consumer)}; an end of the watch is logged. */
    public Subscription listen(WatchOptions options, Consumer<WatchEvent> listener) throws InterruptedException {
        return listen(options, listener, end -> LOG.warn("the watch of {} has ended", options.key(), end));
    }

    /** Begins to watch, waits until the cluster does, and calls back from then on. */
    public Subscription listen(WatchOptions options, Consumer<WatchEvent> listener, Consumer<RuntimeException> ended)
            throws InterruptedException {
        CallbackWatch callback = new CallbackWatch(session, listener, ended);
        ClusterWatch watch = new ClusterWatch(session, this, options, callback::signal);
        callback.to(watch);
        begin(watch);
        return callback;
    }

    /** As {@link #listen}, without a thread that waits: the future completes when the cluster has begun. */
    public CompletableFuture<Subscription> listenAsync(
            WatchOptions options, Consumer<WatchEvent> listener, Consumer<RuntimeException> ended) {
        CallbackWatch callback = new CallbackWatch(session, listener, ended);
        ClusterWatch watch = new ClusterWatch(session, this, options, callback::signal);
        callback.to(watch);
        submit(watch);
        return watch.created().thenApply(begun -> callback);
    }

    private void begin(ClusterWatch watch) throws InterruptedException {
        submit(watch);
        try {
            var unused = Waiting.interruptibly(watch.created());
        } catch (InterruptedException e) {
            session.execute(watch::leave);
            throw e;
        }
    }

    private void submit(ClusterWatch watch) {
        session.execute(() -> {
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

    @Override
    public List<Exchange> toRepeat() {
        streams++;
        List<Exchange> repeated = new ArrayList<>();
        for (ClusterWatch watch : open) {
            if (watch.reopens()) {
                repeated.add(watch);
            }
        }
        return repeated;
    }

    @Override
    public void pushed(ServerMessage message) {
        if (message.hasWatch()) {
            WatchResponse response = message.getWatch();
            ClusterWatch watch = byNumber.get(response.getWatchId());
            if (watch != null) {
                watch.received(response);
            }
        }
    }

    @Override
    public boolean isListening() {
        return !open.isEmpty();
    }

    /** Leaves a stream on which nothing was heard of a watch for so long that it cannot be trusted. */
    @Override
    public void look(long nowNanos, long patienceNanos, String problem) {
        if (open.stream().anyMatch(watch -> watch.isSilentSince(nowNanos - SILENCE_NANOS))) {
            session.reconnect();
        }
    }

    @Override
    public void close() {
        streams++; // what was to be cancelled ends with the stream
        List.copyOf(open).forEach(ClusterWatch::clientClosed);
    }

    @Override
    public void barred(Error error, HoldfastException refusal) {
        List.copyOf(open).forEach(watch -> watch.barred(refusal));
    }
}
