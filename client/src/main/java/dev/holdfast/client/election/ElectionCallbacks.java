package dev.holdfast.client.election;

import dev.holdfast.client.api.Deposition;
import dev.holdfast.client.api.Leadership;
import dev.holdfast.client.session.CallbackQueue;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The listeners of one candidate: told in the order in which things happened, one at a time, until it is closed.
 *
 * <p>What tells of something returns whether the callbacks are to be started, which the caller does without its lock.
 */
final class ElectionCallbacks {
    private static final long CLOSING_SECONDS = 2;

    private final CallbackQueue queue;
    private final List<Consumer<Leadership>> elected = new CopyOnWriteArrayList<>();
    private final List<Consumer<Deposition>> deposed = new CopyOnWriteArrayList<>();
    private volatile boolean silent;

    ElectionCallbacks(CallbackQueue queue) {
        this.queue = queue;
    }

    CallbackQueue queue() {
        return queue;
    }

    void onElected(Consumer<Leadership> listener) {
        elected.add(listener);
    }

    void onDeposed(Consumer<Deposition> listener) {
        deposed.add(listener);
    }

    boolean tellElected(Leadership leadership) {
        return tell(List.copyOf(elected), leadership);
    }

    boolean tellElected(Consumer<Leadership> late, Leadership leadership) {
        return tell(List.of(late), leadership);
    }

    boolean tellDeposed(Deposition deposition) {
        return tell(List.copyOf(deposed), deposition);
    }

    /** To those who listened when it happened: one who comes later must not hear of what is over. */
    private <T> boolean tell(List<Consumer<T>> listeners, T news) {
        boolean due = false;
        for (Consumer<T> listener : listeners) {
            due |= queue.offer(() -> {
                if (!silent) {
                    listener.accept(news);
                }
            });
        }
        return due;
    }

    /** Waits a little for what is to be told still; nothing is told afterwards. */
    void close() {
        if (queue.isHere()) {
            return; // what is to be told follows when this callback returns; nothing more comes
        }
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        if (queue.offer(() -> told.complete(true))) {
            queue.run(); // there is nothing but this, and nothing more comes
        }
        // False if a listener blocks: what it keeps from being told is told to nobody.
        var unused =
                told.completeOnTimeout(false, CLOSING_SECONDS, TimeUnit.SECONDS).join();
        silent = true;
    }
}
