package dev.holdfast.testkit;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Real threads for the callbacks of all clients of a cluster: as many as are busy at a time. They end with the test. */
final class CallbackThreads implements Executor {
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final AtomicInteger count = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "holdfast-testkit-callback-" + count.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /**
     * Interrupts what still runs, and waits for it.
     *
     * @throws IllegalStateException if a callback ignores the interrupt
     */
    void close() {
        threads.shutdownNow();
        boolean interrupted = false;
        boolean ended = false;
        try {
            ended = threads.awaitTermination(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        } else if (!ended) {
            throw new IllegalStateException("a callback of the test still runs " + FAREWELL
                    + " after it was interrupted; make it react to " + "interrupts");
        }
    }
}
