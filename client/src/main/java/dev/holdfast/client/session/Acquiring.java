package dev.holdfast.client.session;

import dev.holdfast.client.Grant;
import dev.holdfast.client.HoldfastException;
import dev.holdfast.client.LockTimeoutException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An acquisition under way, as the caller sees it. */
public final class Acquiring {
    private final Session session;
    private final Wish wish;
    private final CompletableFuture<Optional<Grant>> reply = new CompletableFuture<>();
    private @Nullable Request request;

    Acquiring(Session session, Wish wish) {
        this.session = session;
        this.wish = wish;
    }

    Wish wish() {
        return wish;
    }

    /** It is on its way by this request. In a turn. */
    void goesBy(Request sent) {
        request = sent;
        Replies.pass(sent.reply().thenApply(granted -> granted.map(grant -> (Grant) grant)), reply);
    }

    void fail(HoldfastException failure) {
        reply.completeExceptionally(failure);
    }

    boolean isOver() {
        return reply.isDone();
    }

    /** Waits; an interrupt takes the request back and is thrown. None if it could not be had in time. */
    public Optional<Grant> await() throws InterruptedException {
        try {
            return Waiting.interruptibly(reply);
        } catch (InterruptedException e) {
            abandon("interrupted");
            throw e;
        }
    }

    /** Waits whatever happens to the thread. */
    public Optional<Grant> awaitUninterruptibly() {
        return Waiting.uninterruptibly(reply);
    }

    /**
     * The grant as a future that may be cancelled: cancelling leaves nothing behind. What depends on it runs on the
     * session's callback threads.
     *
     * @param shape what is shown of the outcome; may throw
     */
    public <T> CompletableFuture<T> future(Function<Optional<Grant>, T> shape) {
        CompletableFuture<T> shown = new CompletableFuture<>();
        var unused = reply.whenCompleteAsync(
                (granted, failure) -> {
                    if (failure != null) {
                        shown.completeExceptionally(failure);
                    } else if (!show(granted, shape, shown)) {
                        granted.ifPresent(Grant::close);
                    }
                },
                session.callbacks());
        Replies.then(shown, (granted, failure) -> {
            if (failure != null && !reply.isDone()) {
                abandon("cancelled");
            }
        });
        return shown;
    }

    private static <T> boolean show(
            Optional<Grant> granted, Function<Optional<Grant>, T> shape, CompletableFuture<T> shown) {
        try {
            return shown.complete(shape.apply(granted));
        } catch (HoldfastException e) {
            return shown.completeExceptionally(e);
        }
    }

    /** Takes it back, and with it whatever was granted; whoever waits gets {@link LockTimeoutException}. */
    public void cancel() {
        abandon("cancelled");
    }

    private void abandon(String why) {
        session.turn(() -> {
            Request sent = request;
            LockTimeoutException reason = new LockTimeoutException(why);
            if (sent == null) {
                fail(reason);
            } else {
                sent.abandon(reason);
            }
        });
    }
}
