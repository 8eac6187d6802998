package dev.holdfast.client.session;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Passes answers on. */
public final class Replies {
    private Replies() {}

    /** Gives one future's outcome to another. */
    public static <T> void pass(CompletableFuture<T> from, CompletableFuture<? super T> to) {
        then(from, (value, failure) -> {
            if (failure != null) {
                to.completeExceptionally(failure);
            } else {
                to.complete(value);
            }
        });
    }

    /** Runs something when a future is done, on the thread that completes it. */
    public static <T> void then(CompletableFuture<T> from, BiConsumer<? super T, ? super @Nullable Throwable> done) {
        var unused = from.whenComplete(done);
    }
}
