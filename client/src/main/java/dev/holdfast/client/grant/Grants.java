package dev.holdfast.client.grant;

import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.lease.ClientLease;
import dev.holdfast.client.lease.LeaseRequest;
import dev.holdfast.client.lease.Leases;
import dev.holdfast.client.session.Replies;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.SessionPart;
import dev.holdfast.client.session.SessionSettings;
import dev.holdfast.client.session.Waiting;
import dev.holdfast.protocol.v1.Error;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks for a session.
 *
 * <p>There is one lease for all locks that ask for none of their own. It is asked for in the same frame as the first
 * lock, so it costs no round trip; when nothing has hung on it for as long as it lives, it is given back, so an idle
 * client costs the cluster nothing.
 */
public final class Grants implements SessionPart {
    private final Session session;
    private final Leases leases;
    private final Deque<PendingAcquire> backlog = new ArrayDeque<>();
    private @Nullable ClientLease shared;

    public Grants(Session session, Leases leases) {
        this.session = session;
        this.leases = leases;
    }

    /** Begins to acquire. */
    public PendingAcquire acquire(AcquireOptions options) {
        PendingAcquire pending = new PendingAcquire(session, options);
        session.execute(() -> begin(pending));
        return pending;
    }

    private void begin(PendingAcquire pending) {
        HoldfastException refusal = session.refusal();
        if (refusal != null) {
            pending.fail(refusal);
            return;
        }
        AcquireOptions options = pending.options();
        SessionSettings settings = session.settings();
        if (options.leaseMillis() > 0 || options.lockDelayMillis() > 0) {
            long ttl = options.leaseMillis() > 0 ? options.leaseMillis() : settings.ttlMillis();
            send(pending, leases.start(ttl, options.lockDelayMillis(), true));
            return;
        }
        ClientLease lease = shared();
        if (lease == null) {
            lease = leases.start(settings.ttlMillis(), settings.lockDelay().toMillis(), false);
            shared = lease;
        }
        if (lease.hasRoom()) {
            send(pending, lease);
        } else {
            backlog.add(pending);
        }
    }

    private @Nullable ClientLease shared() {
        ClientLease lease = shared;
        return lease == null || lease.isOver() ? null : lease;
    }

    private void send(PendingAcquire pending, ClientLease lease) {
        LeaseRequest<HeldGrant> request = new AcquireRequest(session, leases, lease, pending.options());
        pending.goesBy(request);
        session.submit(request);
    }

    /** Goes on with a grant that was exported. */
    public CompletableFuture<Grant> adopt(ExportedGrant exported) {
        CompletableFuture<Grant> reply = new CompletableFuture<>();
        session.execute(() -> {
            HoldfastException refusal = session.refusal();
            if (refusal != null) {
                reply.completeExceptionally(refusal);
            } else {
                ClientLease lease = leases.adopt(exported.leaseId(), exported.ttlMillis(), exported.lastSeq());
                Replies.then(reply, (grant, failure) -> {
                    if (failure != null) {
                        session.execute(lease::handedOver); // nobody waits for it any more: it is left as it was
                    }
                });
                session.submit(new Adoption(session, leases, lease, exported, reply));
            }
        });
        return reply;
    }

    /** As {@link #adopt}, and waits for it. */
    public Grant awaitAdopted(ExportedGrant exported) throws InterruptedException {
        return Waiting.interruptibly(adopt(exported));
    }

    /** How a grant was lost; empty while it is not known to be, and for one that was released. */
    public Optional<Loss> lossOf(Grant grant) {
        return grant instanceof HeldGrant held ? held.loss() : Optional.empty();
    }

    @Override
    public void beforeSending() {
        ClientLease lease = shared();
        while (!backlog.isEmpty() && (lease == null || lease.hasRoom())) {
            PendingAcquire next = backlog.remove();
            if (!next.isDone()) {
                begin(next);
            }
            lease = shared();
        }
    }

    @Override
    public void barred(Error error, HoldfastException refusal) {
        failBacklog(refusal);
    }

    @Override
    public void close() {
        failBacklog(Session.clientClosed());
    }

    private void failBacklog(HoldfastException failure) {
        backlog.forEach(pending -> pending.fail(failure));
        backlog.clear();
    }
}
