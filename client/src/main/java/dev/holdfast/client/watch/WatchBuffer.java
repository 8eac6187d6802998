package dev.holdfast.client.watch;

import dev.holdfast.protocol.v1.Event;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way from the network to the one who reads them: the only place where both meet.
 *
 * <p>Bounded. What does not fit is not taken, and whoever brought it is told when the buffer is empty again. An empty
 * one takes anything: what the cluster sends at once is bounded, too.
 */
final class WatchBuffer {
    static final int CAPACITY = 4_096;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private final Runnable emptied;
    private final Runnable readable;
    private long resume;
    private boolean full;
    private boolean closed;
    private @Nullable Supplier<? extends RuntimeException> end;

    /**
     * What was read.
     *
     * @param behind everything up to this revision was read with it
     */
    record Taken(Event event, long behind) {}

    /**
     * An empty buffer.
     *
     * @param emptied told, by the reader, when one that took no more is empty again
     * @param readable told, on the session's executor, when there is something to read, or the end
     */
    WatchBuffer(Runnable emptied, Runnable readable) {
        this.emptied = emptied;
        this.readable = readable;
    }

    /** Says where reading begins. */
    void startAt(long revision) {
        locked(() -> resume = closed ? resume : revision);
    }

    /**
     * Adds events.
     *
     * @param resumeRevision everything below it is among what was added so far
     * @return false if there was no room, and nothing was added
     */
    boolean add(List<Event> more, long resumeRevision) {
        lock.lock();
        try {
            if (closed) {
                return true; // where to resume is said, and what was on its way does not change it
            }
            if (!events.isEmpty() && events.size() + more.size() > CAPACITY) {
                full = true;
                return false;
            }
            events.addAll(more);
            resume = resumeRevision;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (!more.isEmpty()) {
            readable.run();
        }
        return true;
    }

    /** Nothing more will come; what is here can still be read. */
    void fail(Supplier<? extends RuntimeException> failure) {
        locked(() -> {
            if (end == null) {
                end = failure;
            }
        });
        readable.run();
    }

    /** Nothing more will be read; whoever wants what is here has to resume from it. */
    void close(Supplier<? extends RuntimeException> failure) {
        locked(() -> {
            closed = true;
            end = failure;
            resume = resumeRevision();
            events.clear();
        });
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits so long for the next event; empty if none came. Throws at the end.
     */
    Optional<Taken> take(long nanos) throws InterruptedException {
        Taken event;
        boolean nowEmpty;
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (events.isEmpty() && end == null && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (events.isEmpty() && end != null) {
                throw end.get();
            }
            event = next();
            nowEmpty = becameEmpty();
        } finally {
            lock.unlock();
        }
        return taken(event, nowEmpty);
    }

    /** The next event if it is here. */
    Optional<Taken> poll() {
        Taken event;
        boolean nowEmpty;
        lock.lock();
        try {
            event = next();
            nowEmpty = becameEmpty();
        } finally {
            lock.unlock();
        }
        return taken(event, nowEmpty);
    }

    /** All events of a revision come together: if the next one is of another, this was the last of its own. */
    private @Nullable Taken next() {
        Event event = events.poll();
        if (event == null) {
            return null;
        }
        Event after = events.peek();
        boolean last = after == null || after.getRevision() != event.getRevision();
        return new Taken(event, last ? event.getRevision() : event.getRevision() - 1);
    }

    private boolean becameEmpty() {
        boolean became = full && events.isEmpty();
        if (became) {
            full = false;
        }
        return became;
    }

    private Optional<Taken> taken(@Nullable Taken event, boolean nowEmpty) {
        if (nowEmpty) {
            emptied.run();
        }
        return Optional.ofNullable(event);
    }

    /** How it failed, if it has and everything was read; nothing if it was closed. */
    Optional<RuntimeException> failure() {
        lock.lock();
        try {
            return end == null || closed || !events.isEmpty() ? Optional.empty() : Optional.of(end.get());
        } finally {
            lock.unlock();
        }
    }

    /** Everything below was read. */
    long resumeRevision() {
        lock.lock();
        try {
            Event next = events.peek();
            return next == null ? resume : next.getRevision();
        } finally {
            lock.unlock();
        }
    }
}
