package dev.holdfast.client.election;

import com.google.protobuf.ByteString;
import dev.holdfast.client.api.Deposition;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.Leadership;
import dev.holdfast.client.api.LockTimeoutException;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.core.ClientCore;
import dev.holdfast.client.grant.AcquireOptions;
import dev.holdfast.client.grant.PendingAcquire;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a candidate stands in its election.
 *
 * <p>Every change of that is made under one lock and told in the order of the changes. Nothing is sent and nobody is
 * called while the lock is held.
 */
final class Candidate {
    private final ClientCore core;
    private final String key;
    private final ElectionCallbacks callbacks;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Campaign campaign;
    private volatile @Nullable Term term;
    private boolean closed;

    Candidate(ClientCore core, String key) {
        this.core = core;
        this.key = key;
        this.callbacks = new ElectionCallbacks(core.session().callbackQueue());
    }

    Optional<Term> term() {
        return Optional.ofNullable(term);
    }

    // Campaigning ------------------------------------------------------------------------------------

    Leadership campaign(String value) throws InterruptedException {
        Campaign begun = reserve();
        boolean elected = false;
        try {
            PendingAcquire pending = send(begun, value, Thread.currentThread().getId());
            Grant grant = pending.await().orElseThrow(Candidate::takenBack);
            Term won = elected(begun, grant, value);
            elected = true;
            return won.leadership();
        } catch (LockTimeoutException e) {
            throw takenBack();
        } finally {
            if (!elected) {
                withdraw(begun);
            }
        }
    }

    CompletableFuture<Leadership> campaignAsync(String value) {
        Campaign begun = reserve();
        CompletableFuture<Leadership> shown = new CompletableFuture<>();
        CompletableFuture<Grant> granting = send(begun, value, 0).future(Optional::orElseThrow);
        var unusedGrant = granting.whenComplete((grant, failure) -> {
            if (failure != null) {
                withdraw(begun);
                shown.completeExceptionally(reason(failure));
                return;
            }
            try {
                Term won = elected(begun, grant, value);
                if (!shown.complete(won.leadership())) {
                    change(() -> depose(won, Optional.empty()));
                    grant.close();
                }
            } catch (CancellationException e) {
                shown.completeExceptionally(e);
            }
        });
        var unused = shown.whenComplete((leadership, failure) -> {
            if (failure != null) {
                withdraw(begun);
            }
        });
        return shown;
    }

    private static Throwable reason(Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        return cause instanceof LockTimeoutException ? takenBack() : cause;
    }

    private static CancellationException takenBack() {
        return new CancellationException("the candidacy was withdrawn");
    }

    private Campaign reserve() {
        Campaign begun = new Campaign();
        change(() -> {
            Term present = term;
            if (closed) {
                throw new IllegalStateException("the election is closed");
            }
            if (campaign != null || (present != null && present.isValid())) {
                throw new IllegalStateException(
                        campaign != null ? "this candidate is already campaigning" : "this candidate already leads");
            }
            campaign = begun;
            // Lost, and the news has not come here yet: it must come before the next election.
            return present != null && depose(present, Optional.of(present.loss()));
        });
        return begun;
    }

    private PendingAcquire send(Campaign begun, String value, long actor) {
        PendingAcquire pending = core.grants()
                .acquire(AcquireOptions.exclusive(key, ByteString.copyFromUtf8(value), actor)
                        .withPurpose("election"));
        begun.goesBy(pending);
        return pending;
    }

    private void withdraw(Campaign unwanted) {
        lock.lock();
        try {
            if (campaign == unwanted) {
                campaign = null;
            }
        } finally {
            lock.unlock();
        }
        unwanted.withdraw();
    }

    private Term elected(Campaign won, Grant grant, String value) {
        Term begun = new Term(core, grant, value);
        change(() -> {
            if (campaign != won) {
                throw takenBack();
            }
            campaign = null;
            term = begun;
            return callbacks.tellElected(begun.leadership());
        });
        // Called back at once if it is lost already.
        var unused = grant.onLost(loss -> lost(begun, loss));
        return begun;
    }

    // Leading no more --------------------------------------------------------------------------------

    /** On a callback thread. */
    private void lost(Term lost, Loss loss) {
        boolean due;
        lock.lock();
        try {
            due = depose(lost, Optional.of(loss));
        } finally {
            lock.unlock();
        }
        if (due) {
            callbacks.queue().run();
        }
    }

    /** Ends a term, once, under the lock; whether the callbacks are to be started. */
    private boolean depose(Term ended, Optional<Loss> loss) {
        if (term != ended) {
            return false;
        }
        term = null;
        return callbacks.tellDeposed(new Deposition(ended.leadership(), loss));
    }

    /** Steps back from whatever this candidate is; gives the term whose grant is to be given back. */
    Optional<Term> resign() {
        Term present;
        Campaign running;
        boolean due = false;
        lock.lock();
        try {
            present = term;
            running = campaign;
            campaign = null;
            if (present != null) {
                due = depose(present, present.isValid() ? Optional.empty() : Optional.of(present.loss()));
            }
        } finally {
            lock.unlock();
        }
        if (due) {
            callbacks.queue().start();
        }
        if (running != null) {
            running.withdraw();
        }
        return Optional.ofNullable(present);
    }

    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        resign().ifPresent(left -> left.grant().close());
        callbacks.close();
    }

    // Listeners --------------------------------------------------------------------------------------

    void onElected(Consumer<Leadership> listener) {
        change(() -> {
            Term present = term;
            callbacks.onElected(listener);
            return present != null && callbacks.tellElected(listener, present.leadership());
        });
    }

    void onDeposed(Consumer<Deposition> listener) {
        callbacks.onDeposed(listener);
    }

    /** Makes a change under the lock, and starts the callbacks without it. */
    private void change(BooleanSupplier made) {
        boolean due;
        lock.lock();
        try {
            due = made.getAsBoolean();
        } finally {
            lock.unlock();
        }
        if (due) {
            callbacks.queue().start();
        }
    }
}
