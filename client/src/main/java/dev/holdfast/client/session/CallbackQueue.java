package dev.holdfast.client.session;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs callbacks one after the other, in the order in which they were given.
 *
 * <p>Giving one and seeing to it that it runs are two steps: the first may happen under a lock that decides the order,
 * the second must not, for it may run users' code.
 */
public final class CallbackQueue {
    private static final Logger LOG = LoggerFactory.getLogger(CallbackQueue.class);

    private final Session session;
    private final Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private volatile @Nullable Thread runner;

    CallbackQueue(Session session) {
        this.session = session;
    }

    /** Gives a callback; whether nobody is at it, so that the caller has to {@link #start} or {@link #run} them. */
    public boolean offer(Runnable callback) {
        callbacks.add(callback);
        return count.getAndIncrement() == 0;
    }

    /** Has them run by a callback thread. */
    public void start() {
        session.callBack(this::run);
    }

    /** Runs them on this thread, which must be a callback thread: no other may be had while a client closes. */
    public void run() {
        do {
            runner = Thread.currentThread();
            try {
                callbacks.remove().run();
            } catch (RuntimeException | Error e) {
                LOG.warn("a listener failed", e);
            }
            runner = null;
        } while (count.decrementAndGet() > 0);
    }

    /** Whether the calling thread is in one of the callbacks. */
    public boolean isHere() {
        return runner == Thread.currentThread();
    }
}
