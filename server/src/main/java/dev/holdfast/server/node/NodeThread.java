package dev.holdfast.server.node;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread of a node. Such executors keep what a task throws to themselves; here an error, or the end of something
 * that should be done again and again, ends the node.
 */
final class NodeThread extends ScheduledThreadPoolExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(NodeThread.class);

    private final String name;
    private final BiConsumer<String, @Nullable Throwable> failure;

    NodeThread(String name, BiConsumer<String, @Nullable Throwable> failure) {
        super(1, task -> new Thread(task, name));
        this.name = name;
        this.failure = failure;
        // Each read that waits has a timer, and nearly all of them are taken back.
        setRemoveOnCancelPolicy(true);
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        super.afterExecute(task, thrown);
        Throwable cause = thrown == null ? thrownBy(task) : thrown;
        if (cause == null) {
            return;
        }
        boolean repeated = task instanceof RunnableScheduledFuture<?> scheduled && scheduled.isPeriodic();
        if (cause instanceof Error || repeated) {
            failure.accept("the thread " + name + " failed; restart the node and report this", cause);
        } else {
            LOG.error("a task of {} failed; please report this", name, cause);
        }
    }

    private static @Nullable Throwable thrownBy(Runnable task) {
        if (!(task instanceof Future<?> future) || !future.isDone()) {
            return null;
        }
        try {
            future.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (CancellationException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
