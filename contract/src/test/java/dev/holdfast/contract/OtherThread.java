package dev.holdfast.contract;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A thread beside the test's own, which does one thing after the other. */
final class OtherThread implements AutoCloseable {
    private final CompletableFuture<Thread> thread = new CompletableFuture<>();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "other");
        thread.complete(made);
        return made;
    });

    /** Something that may fail. */
    interface Deed {
        void run() throws Exception;
    }

    <T> Future<T> begin(Callable<T> task) {
        return executor.submit(task);
    }

    Future<Boolean> start(Deed deed) {
        return executor.submit(() -> {
            deed.run();
            return true;
        });
    }

    <T> T get(Callable<T> task) throws Exception {
        return result(begin(task));
    }

    void run(Deed deed) throws Exception {
        result(start(deed));
    }

    /** The outcome; a failure as it was thrown. */
    static <T> T result(Future<T> future) throws Exception {
        try {
            return future.get(Operator.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** The thread; there is none before it has something to do. */
    Thread thread() {
        return thread.join();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
