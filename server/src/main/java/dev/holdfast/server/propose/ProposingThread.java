package dev.holdfast.server.propose;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The one thread that proposes: takes a step, then sleeps until it is woken or time is up. */
public final class ProposingThread implements Proposing {
    private final BiConsumer<String, @Nullable Throwable> failure;
    private final Thread thread = new Thread(this::run, "holdfast-propose");
    private volatile @Nullable LongSupplier step;
    private volatile boolean stopping;

    /** A thread that is not started yet; the failure of a step ends the node. */
    public ProposingThread(BiConsumer<String, @Nullable Throwable> failure) {
        this.failure = failure;
    }

    @Override
    public void start(LongSupplier taken) {
        step = taken;
        thread.start();
    }

    @Override
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
        LongSupplier taken = step;
        try {
            while (!stopping && taken != null) {
                long pause = taken.getAsLong();
                if (pause > 0) {
                    LockSupport.parkNanos(this, pause);
                }
            }
        } catch (RuntimeException | Error e) {
            failure.accept("the proposing thread failed; restart the node and report this", e);
        }
    }
}
