package dev.holdfast.server.grpc;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Keeps what a stream says until the test asks for it. */
final class Recorder<Q, R> implements ClientResponseObserver<Q, R> {
    private static final long PATIENCE_SECONDS = 10;

    private final LinkedBlockingQueue<R> received = new LinkedBlockingQueue<>();
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private final boolean lazy;
    private @Nullable ClientCallStreamObserver<Q> call;

    private Recorder(boolean lazy) {
        this.lazy = lazy;
    }

    /** Reads all that comes. */
    static <Q, R> Recorder<Q, R> eager() {
        return new Recorder<>(false);
    }

    /** Reads only what {@link #read} asks for. */
    static <Q, R> Recorder<Q, R> lazy() {
        return new Recorder<>(true);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Q> stream) {
        call = stream;
        if (lazy) {
            stream.disableAutoRequestWithInitial(0);
        }
    }

    void read(int messages) {
        stream().request(messages);
    }

    void cancel() {
        stream().cancel("the test leaves", null);
    }

    private ClientCallStreamObserver<Q> stream() {
        if (call == null) {
            throw new IllegalStateException("not started");
        }
        return call;
    }

    @Override
    public void onNext(R message) {
        received.add(message);
    }

    @Override
    public void onError(Throwable failure) {
        end.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
        end.complete(true);
    }

    R next() {
        try {
            R next = received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("nothing came; end of stream: " + end);
            }
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    R next(Predicate<R> wanted) {
        R next = next();
        while (!wanted.test(next)) {
            next = next();
        }
        return next;
    }

    boolean isEmpty() {
        return received.isEmpty();
    }

    void awaitCompletion() {
        try {
            end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the stream did not complete", e);
        }
    }

    Throwable failure() {
        try {
            end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            return cause == null ? e : cause;
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("the stream did not fail", e);
        }
        throw new AssertionError("the stream completed");
    }
}
