package dev.holdfast.server.propose;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The one thread that proposes: steps the batcher, then sleeps until it is woken or time is up. */
public final class ProposingThread implements AutoCloseable {
    private final BiConsumer<String, @Nullable Throwable> failure;
    private final Thread thread = new Thread(this::run, "holdfast-propose");
    private volatile @Nullable Batcher batcher;
    private volatile boolean stopping;

    /** A thread that is not started yet; the failure of a step ends the node. */
    public ProposingThread(BiConsumer<String, @Nullable Throwable> failure) {
        this.failure = failure;
    }

    public void start(Batcher stepped) {
        batcher = stepped;
        thread.start();
    }

    /** Ends a pause. From any thread. */
    public void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public void close() {
        stopping = true;
        wake();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Batcher stepped = batcher;
        try {
            while (!stopping && stepped != null) {
                long pause = stepped.step();
                if (pause > 0) {
                    LockSupport.parkNanos(this, pause);
                }
            }
        } catch (RuntimeException | Error e) {
            failure.accept("the proposing thread failed; restart the node and report this", e);
        }
    }
}
