package dev.holdfast.server.rest;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.command.Command;
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

    void revoke(LeaseId lease, String principal, EventLoop loop) {
        attempt(new Command.RevokeLease(lease, principal), loop, ATTEMPTS);
    }

    /** Likewise right behind a release that this thread has just asked for: together they share an entry. */
    void revokeAfter(CompletableFuture<Answer> release, LeaseId lease, String principal, EventLoop loop) {
        CompletableFuture<Boolean> failed =
                requests.submit(new Command.RevokeLease(lease, principal)).handle((answer, failure) -> failure != null);
        // If the release failed too, nothing is tried again: its client was told that the lock is still held.
        var unused = release.thenCombine(failed, (released, again) -> again).thenAccept(again -> {
            if (again) {
                revoke(lease, principal, loop);
            }
        });
    }

    private void attempt(Command.RevokeLease revoke, EventLoop loop, int left) {
        var unused = requests.submit(revoke).whenComplete((answer, failure) -> {
            if (failure != null && left > 1 && !loop.isShuttingDown()) {
                later(revoke, loop, left - 1);
            }
        });
    }

    private void later(Command.RevokeLease revoke, EventLoop loop, int left) {
        var unused = loop.schedule(() -> attempt(revoke, loop, left), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
}
