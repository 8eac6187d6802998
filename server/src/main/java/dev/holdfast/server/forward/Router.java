package dev.holdfast.server.forward;

import dev.holdfast.consensus.Role;
import dev.holdfast.core.command.Command;
import dev.holdfast.protocol.v1.PeerGrpc;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.request.Reach;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Requests.Renewed;
import dev.holdfast.server.request.Stamp;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to whoever leads: this node's own batcher, or another node over one stream.
 *
 * <p>The executor has one thread: all that is written to a stream is written there.
 */
public final class Router implements Requests, AutoCloseable {
    private static final long SWEEP_MILLIS = 200;

    private final Requests local;
    private final Reach reach;
    private final String cluster;
    private final Function<String, PeerGrpc.PeerStub> peers;
    private final ScheduledExecutorService executor;
    private final LongSupplier nanos;
    private final ScheduledFuture<?> sweep;
    private volatile boolean leading;
    private @Nullable Forwarder forwarder;
    private boolean closed;

    public Router(
            Requests local,
            Reach reach,
            String cluster,
            Function<String, PeerGrpc.PeerStub> peers,
            ScheduledExecutorService executor,
            LongSupplier nanos,
            long patienceMillis) {
        this.local = local;
        this.reach = reach;
        this.cluster = cluster;
        this.peers = peers;
        this.executor = executor;
        this.nanos = nanos;
        long patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        this.sweep = executor.scheduleWithFixedDelay(
                () -> sweep(patienceNanos), SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    public void roleChanged(Role role) {
        leading = role instanceof Role.Leading;
    }

    @Override
    public CompletableFuture<Answer> submit(Flow flow, Command command) {
        Requests way = way();
        return way == null ? nobody() : way.submit(flow, command);
    }

    @Override
    public CompletableFuture<Renewed> renew(Flow flow, String principal, long[] leases) {
        Requests way = way();
        return way == null ? nobody() : way.renew(flow, principal, leases);
    }

    @Override
    public CompletableFuture<Stamp> barrier(Flow flow) {
        Requests way = way();
        return way == null ? nobody() : way.barrier(flow);
    }

    /** What goes to another node is gathered on its way there. */
    @Override
    public <T> T together(Supplier<T> submissions) {
        return local.together(submissions);
    }

    private @Nullable Requests way() {
        return leading ? local : forwarder();
    }

    private <T> CompletableFuture<T> nobody() {
        return CompletableFuture.failedFuture(
                RequestFailure.notDone(RequestFailure.Reason.NO_LEADER, "no leader is known: " + reach.describe()));
    }

    private synchronized @Nullable Forwarder forwarder() {
        String address = reach.leaderAddress().orElse(null);
        if (address == null || closed) {
            return null;
        }
        Forwarder present = forwarder;
        if (present != null && !present.isBroken()) {
            if (present.address().equals(address)) {
                return present;
            }
            executor.execute(present::close);
        }
        forwarder = new Forwarder(address, cluster, peers.apply(address), executor, nanos);
        return forwarder;
    }

    private void sweep(long patienceNanos) {
        Forwarder present;
        synchronized (this) {
            present = forwarder;
        }
        if (present != null) {
            present.failOlderThan(patienceNanos);
        }
    }

    @Override
    public void close() {
        sweep.cancel(false);
        Forwarder present;
        synchronized (this) {
            closed = true;
            present = forwarder;
            forwarder = null;
        }
        if (present != null) {
            executor.execute(present::close);
        }
    }
}
