package dev.holdfast.client.grant;

import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.LockTimeoutException;
import dev.holdfast.client.lease.LeaseRequest;
import dev.holdfast.client.session.Replies;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.Waiting;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An acquisition under way, as the caller sees it. */
public final class PendingAcquire {
    private final Session session;
    private final AcquireOptions options;
    private final CompletableFuture<Optional<Grant>> reply = new CompletableFuture<>();
    private @Nullable LeaseRequest<HeldGrant> request;

    PendingAcquire(Session session, AcquireOptions options) {
        this.session = session;
        this.options = options;
    }

    AcquireOptions options() {
        return options;
    }

    /** It is on its way by this request. On the session's executor. */
    void goesBy(LeaseRequest<HeldGrant> sent) {
        request = sent;
        Replies.pass(sent.reply().thenApply(granted -> granted.map(grant -> (Grant) grant)), reply);
    }

    void fail(HoldfastException failure) {
        reply.completeExceptionally(failure);
    }

    public boolean isDone() {
        return reply.isDone();
    }

    /** Waits; an interrupt takes the request back and is thrown. None if it could not be acquired in time. */
    public Optional<Grant> await() throws InterruptedException {
        try {
            return Waiting.interruptibly(reply);
        } catch (InterruptedException e) {
            abandon("interrupted");
            throw e;
        }
    }

    /**
     * As {@link #await}, for one who cannot do without.
     *
     * @throws LockTimeoutException if it could not be acquired in time
     */
    public Grant awaitGrant() throws InterruptedException {
        return await().orElseThrow(this::timedOut);
    }

    /** As {@link #awaitGrant}, whatever happens to the thread. */
    public Grant awaitGrantUninterruptibly() {
        return awaitUninterruptibly().orElseThrow(this::timedOut);
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

    /** As {@link #future}; fails with {@link LockTimeoutException} if it could not be acquired in time. */
    public CompletableFuture<Grant> grantFuture() {
        return future(granted -> granted.orElseThrow(this::timedOut));
    }

    private LockTimeoutException timedOut() {
        return new LockTimeoutException("not acquired within " + Duration.ofNanos(options.waitNanos()) + ": "
                + options.keys() + "; explain() says who is in the way");
    }

    /** Takes it back, and with it whatever was granted; whoever waits gets {@link LockTimeoutException}. */
    public void cancel() {
        abandon("cancelled");
    }

    private void abandon(String why) {
        session.execute(() -> {
            LeaseRequest<HeldGrant> sent = request;
            LockTimeoutException reason = new LockTimeoutException(why);
            if (sent == null) {
                fail(reason);
            } else {
                sent.abandon(reason);
            }
        });
    }
}
