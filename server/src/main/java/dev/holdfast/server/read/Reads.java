package dev.holdfast.server.read;

import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.Progress;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.request.Stamp;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Answers questions about the state.
 *
 * <p>A linearizable read asks the leader for a place in the log that is behind the question, waits until this node has
 * applied so far, then looks here. A stale one just looks.
 *
 * <p>The thread that applies entries says when it is time, but does not look: whoever asked does, on its own event loop.
 */
public final class Reads {
    private final Requests requests;
    private final LockReplica replica;
    private final Progress progress;
    private final ScheduledExecutorService timers;
    private final Duration patience;

    public Reads(
            Requests requests,
            LockReplica replica,
            Progress progress,
            ScheduledExecutorService timers,
            Duration patience) {
        this.requests = requests;
        this.replica = replica;
        this.progress = progress;
        this.timers = timers;
        this.patience = patience;
    }

    /** What was found, and in which state. */
    public record Found<T>(T value, Stamp stamp, long epoch) {}

    /**
     * A question on its way.
     *
     * @param ready completes when this node may be asked, on the thread that applies entries or on any other
     * @param look asks; takes as long as the question, and waits for an entry that is being applied
     */
    public record Question<T>(CompletableFuture<?> ready, Supplier<Found<T>> look) {
        /** Asks on an event loop. */
        public CompletableFuture<Found<T>> on(Executor loop) {
            return ready.thenApplyAsync(done -> look.get(), loop);
        }

        /** The same question with another answer, made where the question is asked. */
        public <R> Question<R> map(Function<T, R> told) {
            return new Question<>(ready, () -> {
                Found<T> found = look.get();
                return new Found<>(told.apply(found.value()), found.stamp(), found.epoch());
            });
        }
    }

    /** Asks, in the turn of a flow. */
    public <T> Question<T> read(Flow flow, boolean stale, Function<MachineView, T> question) {
        CompletableFuture<?> ready = stale
                ? CompletableFuture.completedFuture(true)
                : requests.barrier(flow).thenCompose(stamp -> caughtUp(stamp.index()));
        return new Question<>(ready, () -> look(question));
    }

    private CompletableFuture<Void> caughtUp(long index) {
        CompletableFuture<Void> reached = progress.reached(index);
        if (reached.isDone()) {
            return reached;
        }
        CompletableFuture<Void> inTime = reached.copy();
        ScheduledFuture<?> late = timers.schedule(
                () -> inTime.completeExceptionally(RequestFailure.notDone(
                        RequestFailure.Reason.NO_QUORUM,
                        "this node has applied entry " + replica.appliedIndex() + " and needs " + index
                                + "; ask another node, or allow a stale answer")),
                patience.toMillis(),
                TimeUnit.MILLISECONDS);
        return inTime.whenComplete((done, failure) -> late.cancel(false));
    }

    private <T> Found<T> look(Function<MachineView, T> question) {
        return replica.ask(view -> new Found<>(
                question.apply(view),
                new Stamp(replica.appliedTerm(), replica.appliedIndex(), view.now(), view.revision()),
                view.epoch()));
    }
}
