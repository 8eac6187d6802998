package dev.holdfast.client.session;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other, on whichever thread brings the first of them.
 *
 * <p>All state of a session is touched in turns alone, so it needs no locks; and a call that meets nobody else is
 * carried out by the thread that makes it, with no hand-over to another. While one thread is at it, what others bring
 * piles up and leaves in one frame. Tasks never wait for anything. In virtual time one thread does everything, and every
 * turn goes to it.
 */
public final class SerialExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    /** After so many tasks the rest is left to the spare thread: nobody's call serves all others for ever. */
    private static final int MAX_AT_ONCE = 1_000;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Runnable afterwards;
    private final SpareThread spare;

    /** Another thread that can go on. */
    @FunctionalInterface
    public interface SpareThread {
        /** Whether it will run the task. */
        boolean run(Runnable task);

        /** Whether it takes every turn from its beginning: no other thread may be at it. */
        default boolean takesAll() {
            return false;
        }
    }

    /**
     * SerialExecutor of one session.
     *
     * @param afterwards run when there is nothing more to do for now
     */
    SerialExecutor(Runnable afterwards, SpareThread spare) {
        this.afterwards = afterwards;
        this.spare = spare;
    }

    /** Runs a task in its turn: before this returns, or soon on another thread. */
    void run(Runnable task) {
        tasks.add(task);
        if (count.getAndIncrement() == 0 && !(spare.takesAll() && spare.run(this::drain))) {
            drain();
        }
    }

    private void drain() {
        int total = 0;
        int left;
        do {
            int done = 0;
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                guarded(task);
                done++;
                if (total + done >= MAX_AT_ONCE) {
                    break;
                }
            }
            guarded(afterwards);
            total += done;
            left = count.addAndGet(-done);
            if (left > 0 && total >= MAX_AT_ONCE) {
                if (spare.run(this::drain)) {
                    return;
                }
                total = 0;
            }
        } while (left > 0);
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            // One broken task must not end all others' work; that it broke is a bug.
            LOG.error("a task of the session failed; please report this", e);
        }
    }
}
