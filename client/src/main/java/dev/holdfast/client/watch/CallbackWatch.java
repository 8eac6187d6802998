package dev.holdfast.client.watch;

import dev.holdfast.client.api.Subscription;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.session.Session;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch that calls back. At most one callback thread is at it at a time, which keeps the order; while the listener
 * blocks, events gather in the buffer, and beyond its bound at the cluster.
 */
final class CallbackWatch implements Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(CallbackWatch.class);

    /** After so many events the thread is given up: others have callbacks, too. */
    private static final int MAX_AT_ONCE = 100;

    private final Session session;
    private final Consumer<WatchEvent> listener;
    private final Consumer<RuntimeException> ended;
    private final AtomicInteger signals = new AtomicInteger();
    private final AtomicBoolean endTold = new AtomicBoolean();
    private @Nullable ClusterWatch watch;

    CallbackWatch(Session session, Consumer<WatchEvent> listener, Consumer<RuntimeException> ended) {
        this.session = session;
        this.listener = listener;
        this.ended = ended;
    }

    /** Says what it listens to, before that begins. */
    void to(ClusterWatch listenedTo) {
        watch = listenedTo;
    }

    private ClusterWatch watch() {
        ClusterWatch listenedTo = watch;
        if (listenedTo == null) {
            throw new IllegalStateException("listens to nothing");
        }
        return listenedTo;
    }

    /** There is something to tell. On the session's executor. */
    void signal() {
        if (signals.getAndIncrement() == 0) {
            session.callBack(this::tell);
        }
    }

    private void tell() {
        int seen = signals.get();
        WatchBuffer buffer = watch().buffer();
        for (int i = 0; i < MAX_AT_ONCE; i++) {
            Optional<WatchBuffer.Taken> event = buffer.poll();
            if (event.isEmpty()) {
                tellEnd(buffer);
                if (signals.addAndGet(-seen) == 0) {
                    return;
                }
                break;
            }
            guarded(() -> listener.accept(watch().read(event.get())));
        }
        session.callBack(this::tell);
    }

    private void tellEnd(WatchBuffer buffer) {
        buffer.failure().ifPresent(failure -> {
            // A watch that never began has told its caller.
            if (!watch().created().isCompletedExceptionally() && endTold.compareAndSet(false, true)) {
                guarded(() -> ended.accept(failure));
            }
        });
    }

    private static void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("a listener failed; the watch continues", e);
        }
    }

    @Override
    public void close() {
        watch().buffer().close(() -> new IllegalStateException("the watch is closed"));
        session.execute(watch()::leave);
    }
}
