package dev.holdfast.client.session;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads for the users' callbacks: as many as block at a time, up to a bound, and none when there is nothing to do.
 *
 * <p>A callback that blocks holds its own thread and nothing else. Beyond {@link #MAX_THREADS} callbacks that block
 * for good, others have to wait; whoever needs more gives the client an executor.
 */
public final class CallbackPool {
    static final int MAX_THREADS = 256;

    private static final int IDLE_SECONDS = 10;

    private CallbackPool() {}

    public static ThreadPoolExecutor threads(String name) {
        AtomicLong count = new AtomicLong();
        // Offers a task only to a thread that waits for one: the pool then grows instead of queueing, and queues at
        // its bound.
        LinkedTransferQueue<Runnable> queue = new LinkedTransferQueue<>() {
            @Override
            public boolean offer(Runnable task) {
                return tryTransfer(task);
            }
        };
        ThreadFactory factory = task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        return new ThreadPoolExecutor(0, MAX_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, queue, factory, (task, pool) -> {
            if (pool.isShutdown()) {
                // Whoever asks a grant of a closed client what became of it gets an answer, too.
                factory.newThread(task).start();
            } else {
                queue.put(task);
            }
        });
    }
}
