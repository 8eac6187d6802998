package dev.holdfast.server.watch;

import dev.holdfast.core.event.Event;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What happened, on its way from the thread that applies entries to the hub's loop.
 *
 * <p>Bounded: what is too much is not kept, for the machine's history has it too.
 */
final class HandedOver {
    private static final int MAX_EVENTS = 16_384;

    private final Runnable wake;
    private final ConcurrentLinkedQueue<Some> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger events = new AtomicInteger();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicLong changes = new AtomicLong();
    private volatile boolean wanted;
    private volatile long reached;

    /** Which change the hub saw last; of its loop. */
    private long seen;

    /** What one entry caused. */
    record Some(long epoch, List<Event> events) {
        long first() {
            return events.get(0).revision();
        }
    }

    /** @param wake has the hub's loop take what there is */
    HandedOver(Runnable wake) {
        this.wake = wake;
    }

    /** Whether anybody watches. */
    void wanted(boolean is) {
        wanted = is;
    }

    /** Called by the thread that applies: the same few steps, however many watch. */
    void add(long epoch, List<Event> happened) {
        if (happened.isEmpty()) {
            return;
        }
        if (wanted && events.get() < MAX_EVENTS) {
            events.addAndGet(happened.size());
            queue.add(new Some(epoch, happened));
        }
        skipTo(happened.get(happened.size() - 1).revision());
    }

    /** What was not handed over is in the history. */
    void skipTo(long revision) {
        reached = revision;
        changes.incrementAndGet();
        if (wanted && woken.compareAndSet(false, true)) {
            wake.run();
        }
    }

    /** The newest revision; read before the last {@link #take}, all up to it was handed over or has to be looked up. */
    long reached() {
        seen = changes.get();
        return reached;
    }

    /** Whether more has come since {@link #reached}. If not, whatever comes next wakes the hub. */
    boolean hasMore() {
        if (isMore()) {
            return true;
        }
        woken.set(false);
        // What came just before that woke nobody.
        return isMore() && woken.compareAndSet(false, true);
    }

    private boolean isMore() {
        return wanted && changes.get() != seen;
    }

    @Nullable
    Some take() {
        Some some = queue.poll();
        if (some != null) {
            events.addAndGet(-some.events().size());
        }
        return some;
    }
}
