package dev.holdfast.server.websocket;

import dev.holdfast.core.Item;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Commands;
import dev.holdfast.server.read.Reads;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Requests.Answer;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One key of one client, on one connection. Confined to the connection's event loop.
 *
 * <pre>
 * idle --asked--> asking --granted, refused--> idle
 *                  |  ^
 *                  +--+ no leader, or the lease has ended: asked again
 * any --the connection ends--> the lease lives on until its time is up, and with it the place or the lock
 * </pre>
 *
 * The request has no id: asked again for the same lease and key, it is the same one. While it waits, the lease is
 * renewed from here, for as long as the client is connected; once granted, its time runs.
 */
final class SocketLock {
    private static final int RENEWALS_PER_TTL = 3;

    /** How often it is asked again, every time after a fifth of a second or at once. */
    private static final int MAX_TRIES = 150;

    private final NodeCore node;
    private final Commands commands;
    private final EventLoop loop;
    private final String principal;
    private final LockKey key;
    private final String clientId;
    private final LeaseSequence leases;
    private final Asked names;
    private @Nullable Future<?> renewal;
    private Runnable abandon = () -> {};
    /** Completes when all that the client has asked for is on its way to the log, in that order. */
    private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);

    private boolean waiting;
    private boolean used;
    private boolean closed;

    SocketLock(SocketEdge.Parts parts, Asked names, LockRequest first, EventLoop loop) {
        this.node = parts.node();
        this.commands = parts.commands();
        this.names = names;
        this.loop = loop;
        this.principal = names.caller().principal();
        this.key = first.key();
        this.clientId = first.clientId();
        this.leases = new LeaseSequence(parts.derivation(), principal, clientId, key);
    }

    boolean isWaiting() {
        return waiting;
    }

    /** Asks for the lock; completes on the event loop, with the grant or what was refused. */
    CompletableFuture<Result> acquire(long ttlMillis) {
        waiting = true;
        used = true;
        leases.begin();
        long pause = Math.max(1, ttlMillis / RENEWALS_PER_TTL);
        renewal = loop.scheduleAtFixedRate(this::renew, pause, pause, TimeUnit.MILLISECONDS);
        CompletableFuture<Result> promise = new CompletableFuture<>();
        sent = sent.thenCompose(before -> find(promise, ttlMillis, MAX_TRIES));
        return promise.whenComplete((result, failure) -> {
            waiting = false;
            stopRenewing();
            if (result instanceof Result.Granted && !closed) {
                renew();
            }
        });
    }

    /**
     * Asks with the lease that the client has. Completes when that is on its way, never with a failure: the promise has
     * that.
     */
    private CompletableFuture<Boolean> find(CompletableFuture<Result> promise, long ttlMillis, int triesLeft) {
        return located().handle((found, failure) -> {
            if (failure != null) {
                askLater(promise, failure, ttlMillis, triesLeft);
            } else if (!closed) {
                try {
                    ask(promise, ttlMillis, triesLeft);
                } catch (RuntimeException refused) {
                    promise.completeExceptionally(refused);
                }
            }
            return true;
        });
    }

    private void findAgain(CompletableFuture<Result> promise, long ttlMillis, int triesLeft) {
        var unused = find(promise, ttlMillis, triesLeft);
    }

    /** At once if there is a lease; that there is none this node knows only once it knows all that the leader does. */
    private CompletableFuture<Boolean> located() {
        if (node.replica().<Boolean>ask(view -> leases.findLiving(looks(view)))) {
            return CompletableFuture.completedFuture(true);
        }
        return node.reads()
                .read(names.caller().flow(), false, view -> leases.find(looks(view)))
                .on(loop)
                // On the event loop also if it fails, which it does on any thread.
                .whenCompleteAsync((found, failure) -> {}, loop)
                .thenApply(found -> true);
    }

    private Looks looks(MachineView view) {
        return Looks.in(view, principal);
    }

    private void ask(CompletableFuture<Result> promise, long ttlMillis, int triesLeft) {
        CompletableFuture<Answer> started =
                commands.submit(new Command.GrantLease(leases.lease(), principal, clientId, ttlMillis, 0), names);
        Commands.Pending pending = commands.decide(
                new Command.Acquire(
                        leases.lease(),
                        principal,
                        0,
                        0,
                        List.of(Item.exclusive(key)),
                        0,
                        0,
                        Command.WAIT_FOREVER,
                        0,
                        false,
                        "",
                        Metadata.NONE),
                names);
        abandon = pending.abandon();
        var unused = started.thenCombine(pending.answer(), (lease, answer) -> outcome(lease.result(), answer.result()))
                .whenCompleteAsync(
                        (result, failure) -> {
                            if (failure != null) {
                                askLater(promise, failure, ttlMillis, triesLeft);
                            } else if (isOver(result) && triesLeft > 1 && !closed) {
                                leases.end();
                                findAgain(promise, ttlMillis, triesLeft - 1);
                            } else {
                                promise.complete(result);
                            }
                        },
                        loop);
    }

    /** A lease that exists with another TTL is used as it is: the first request's TTL stands while it lives. */
    private static Result outcome(Result lease, Result answer) {
        return lease instanceof Result.Refused refused && refused.code() != Refusal.LEASE_EXISTS ? lease : answer;
    }

    private static boolean isOver(Result result) {
        return result instanceof Result.Refused refused
                && (refused.code() == Refusal.LEASE_ENDED || refused.code() == Refusal.LEASE_NOT_FOUND);
    }

    /** While nobody leads, or this node has lost track, the same request is made again. */
    private void askLater(CompletableFuture<Result> promise, Throwable failure, long ttlMillis, int triesLeft) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (!(cause instanceof RequestFailure unanswered) || closed || triesLeft <= 1) {
            promise.completeExceptionally(cause);
            return;
        }
        var unused = loop.schedule(
                () -> findAgain(promise, ttlMillis, triesLeft - 1),
                unanswered.retryAfter().toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /**
     * Gives the lock back, or leaves the queue. What was asked for on this connection is meant, so that a client whose
     * time is up is told so; otherwise what it had when it was last connected. Nothing if it has nothing there.
     */
    CompletableFuture<Optional<Answer>> release() {
        boolean known = used;
        CompletableFuture<Optional<Answer>> promise = new CompletableFuture<>();
        sent = sent.thenCompose(before -> known ? CompletableFuture.completedFuture(true) : held())
                .thenAccept(found -> {
                    if (found) {
                        release(promise);
                    } else {
                        promise.complete(Optional.empty());
                    }
                })
                .exceptionally(failure -> {
                    promise.completeExceptionally(failure);
                    return null;
                });
        return promise;
    }

    /** Whether there is something to give back; like {@link #located}. */
    private CompletableFuture<Boolean> held() {
        if (node.replica().<Boolean>ask(view -> leases.findHolding(looks(view)))) {
            return CompletableFuture.completedFuture(true);
        }
        return node.reads()
                .read(names.caller().flow(), false, view -> leases.findHolding(looks(view)))
                .on(loop)
                .whenCompleteAsync((found, failure) -> {}, loop)
                .thenApply(Reads.Found::value);
    }

    private void release(CompletableFuture<Optional<Answer>> promise) {
        var unused = commands.submit(new Command.Release(leases.lease(), principal, key, 0, 0), names)
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        promise.completeExceptionally(failure);
                    } else {
                        promise.complete(Optional.of(answer));
                    }
                });
    }

    private void renew() {
        var unused = commands.renew(names.caller(), new long[] {leases.lease().value()});
    }

    private void stopRenewing() {
        if (renewal != null) {
            renewal.cancel(false);
        }
    }

    /** The connection has ended. */
    void close() {
        closed = true;
        stopRenewing();
        abandon.run();
    }
}
