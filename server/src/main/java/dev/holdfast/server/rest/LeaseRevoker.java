package dev.holdfast.server.rest;

import dev.holdfast.core.command.Command;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.request.Requests.Answer;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Ends a lease that nobody will ask for again.
 *
 * <p>Ending it wins over a grant that is on its way, because it is applied later. While no leader can be reached it is
 * tried again for a while; then the lease's time does it.
 */
final class LeaseRevoker {
    private static final int ATTEMPTS = 25;
    private static final long PAUSE_MILLIS = 200;

    private final Requests requests;

    LeaseRevoker(Requests requests) {
        this.requests = requests;
    }

    /** In the turn of whoever asked for the lease: so it comes behind what that one asked for before. */
    void revoke(Command.RevokeLease revoke, Flow flow, EventLoop loop) {
        attempt(revoke, flow, loop, ATTEMPTS);
    }

    /** Likewise right behind a release that this thread has just asked for: together they share an entry. */
    void revokeAfter(CompletableFuture<Answer> release, Command.RevokeLease revoke, Flow flow, EventLoop loop) {
        CompletableFuture<Boolean> failed = requests.submit(flow, revoke).handle((answer, failure) -> failure != null);
        // If the release failed too, nothing is tried again: its client was told that the lock is still held.
        var unused = release.thenCombine(failed, (released, again) -> again).thenAccept(again -> {
            if (again) {
                revoke(revoke, flow, loop);
            }
        });
    }

    private void attempt(Command.RevokeLease revoke, Flow flow, EventLoop loop, int left) {
        var unused = requests.submit(flow, revoke).whenComplete((answer, failure) -> {
            if (failure != null && left > 1 && !loop.isShuttingDown()) {
                later(revoke, flow, loop, left - 1);
            }
        });
    }

    private void later(Command.RevokeLease revoke, Flow flow, EventLoop loop, int left) {
        var unused = loop.schedule(() -> attempt(revoke, flow, loop, left), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
}
