package dev.holdfast.server.websocket;

import dev.holdfast.core.Item;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.operation.Locking;
import dev.holdfast.server.operation.NodeParts;
import dev.holdfast.server.request.Answer;
import dev.holdfast.server.request.RequestFailure;
import io.netty.channel.EventLoop;
import java.util.List;
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

    private final NodeParts node;
    private final Locking locking;
    private final EventLoop loop;
    private final String principal;
    private final LockKey key;
    private final String clientId;
    private final LeaseSequence lane;
    private @Nullable Future<?> renewal;
    private Runnable abandon = () -> {};
    private boolean waiting;
    private boolean used;
    private boolean closed;

    SocketLock(SocketEdge.Parts parts, String principal, LockRequest first, EventLoop loop) {
        this.node = parts.node();
        this.locking = parts.locking();
        this.loop = loop;
        this.principal = principal;
        this.key = first.key();
        this.clientId = first.clientId();
        this.lane = new LeaseSequence(parts.derivation(), principal, clientId, key);
    }

    boolean isWaiting() {
        return waiting;
    }

    /** Asks for the lock; completes on the event loop, with the grant or what was refused. */
    CompletableFuture<Result> acquire(long ttlMillis) {
        waiting = true;
        used = true;
        lane.catchUp(node.replica());
        long pause = Math.max(1, ttlMillis / RENEWALS_PER_TTL);
        renewal = loop.scheduleAtFixedRate(this::renew, pause, pause, TimeUnit.MILLISECONDS);
        CompletableFuture<Result> promise = new CompletableFuture<>();
        ask(promise, ttlMillis, MAX_TRIES);
        return promise.whenComplete((result, failure) -> {
            waiting = false;
            stopRenewing();
            if (result instanceof Result.Granted && !closed) {
                renew();
            }
        });
    }

    private void ask(CompletableFuture<Result> promise, long ttlMillis, int triesLeft) {
        CompletableFuture<Answer> started =
                node.requests().submit(new Command.GrantLease(lane.lease(), principal, clientId, ttlMillis, 0));
        Locking.Pending pending = locking.acquire(new Command.Acquire(
                lane.lease(),
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
                Metadata.NONE));
        abandon = pending.abandon();
        var unused = started.thenCombine(pending.answer(), (lease, answer) -> outcome(lease.result(), answer.result()))
                .whenCompleteAsync(
                        (result, failure) -> {
                            if (failure != null) {
                                askLater(promise, failure, ttlMillis, triesLeft);
                            } else if (isOver(result) && triesLeft > 1 && !closed) {
                                lane.next();
                                ask(promise, ttlMillis, triesLeft - 1);
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
                () -> ask(promise, ttlMillis, triesLeft - 1),
                unanswered.retryAfter().toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /**
     * Gives the lock back, or leaves the queue. What was asked for on this connection is meant, so that a client whose
     * time is up is told so; otherwise what it had when it was last connected.
     */
    CompletableFuture<Answer> release() {
        if (!used) {
            lane.catchUp(node.replica());
        }
        return node.requests().submit(new Command.Release(lane.lease(), principal, key, 0, 0));
    }

    private void renew() {
        var unused = node.requests().renew(principal, new long[] {lane.lease().value()});
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
