package dev.holdfast.client.lease;

import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.session.Exchange;
import dev.holdfast.client.session.FutureExchange;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.SessionPart;
import dev.holdfast.client.session.Waiting;
import dev.holdfast.protocol.v1.Attach;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The leases of a session that have not ended. Confined to the session's executor. */
public final class Leases implements SessionPart {
    private final Session session;
    private final Renewals renewals = new Renewals(this);
    private final Map<Long, ClientLease> leases = new LinkedHashMap<>();
    private ClusterMoment latest = ClusterMoment.NONE;

    public Leases(Session session) {
        this.session = session;
    }

    Session session() {
        return session;
    }

    /**
     * Asks the cluster for a lease.
     *
     * @param single it is for one lock alone and ends with it
     */
    public ClientLease start(long ttlMillis, long lockDelayMillis, boolean single) {
        // Unguessable: whoever knows the id has the lease.
        ClientLease lease = new ClientLease(this, session.secretId(), ttlMillis, lockDelayMillis, single);
        leases.put(lease.id(), lease);
        session.submit(lease);
        return lease;
    }

    /** Takes in a lease that another client had, for one lock alone. It is not live before the cluster confirms it. */
    public ClientLease adopt(long id, long ttlMillis, long lastSeq) {
        ClientLease lease = new ClientLease(this, id, ttlMillis, 0, true);
        lease.numberedFrom(lastSeq);
        leases.put(id, lease);
        return lease;
    }

    /** The ids of the leases under which this client waits for something. */
    public List<Long> waiting() throws InterruptedException {
        CompletableFuture<List<Long>> reply = new CompletableFuture<>();
        session.execute(() -> reply.complete(leases.values().stream()
                .filter(ClientLease::isAsking)
                .map(ClientLease::id)
                .toList()));
        return Waiting.interruptibly(reply);
    }

    /** Until when something may be relied on that ends at a cluster time. */
    public long deadline(long endMillis, long ttlMillis) {
        return latest.deadline(endMillis, ttlMillis);
    }

    // What the leases ask for ------------------------------------------------------------------------

    void renew(ClientLease lease) {
        if (renewals.add(lease)) {
            // Ahead of what has piled up: a thousand new requests must not cost what is held.
            session.submitFirst(renewals.next());
        }
    }

    /** Ends a lease at the cluster: asked until it is certain. */
    void revoke(ClientLease lease) {
        session.submit(new FutureExchange<>(
                session.now(),
                true,
                message ->
                        message.setLeaseRevoke(LeaseRevokeRequest.newBuilder().setId(lease.id())),
                answer -> true,
                error -> true));
    }

    void ended(ClientLease lease) {
        leases.remove(lease.id());
    }

    void confirmed(long leaseId, long sentNanos, long clusterMillis, long endMillis) {
        ClientLease lease = leases.get(leaseId);
        if (lease != null) {
            lease.confirmed(sentNanos, clusterMillis, endMillis);
        }
    }

    /** A moment at which the cluster's clock is known to have shown no more than this. */
    void heard(long sentNanos, long clusterMillis) {
        latest = latest.or(sentNanos, clusterMillis);
    }

    // What the session tells -------------------------------------------------------------------------

    @Override
    public List<Exchange> toRepeat() {
        List<Exchange> repeated = new ArrayList<>();
        for (ClientLease lease : leases.values()) {
            if (lease.isLive()) {
                repeated.add(attachment(lease));
                if (renewals.add(lease)) {
                    repeated.add(renewals.next());
                }
                repeated.addAll(lease.toRepeat());
            }
        }
        return repeated;
    }

    private Exchange attachment(ClientLease lease) {
        Set<Long> before = lease.tokens();
        return new FutureExchange<>(
                session.now(),
                true,
                message -> message.setAttach(Attach.newBuilder().setLeaseId(lease.id())),
                answer -> {
                    lease.attached(answer.getAttached(), before);
                    return true;
                },
                error -> true);
    }

    @Override
    public void pushed(ServerMessage message) {
        ClientLease lease = leases.get(message.getLeaseId());
        if (lease == null) {
            return;
        }
        switch (message.getBodyCase()) {
            case LOCK, ERROR -> lease.pushed(message);
            case GRANT_ENDED ->
                lease.lost(message.getGrantEnded().getFencingToken(), LossMapper.of(message.getGrantEnded()));
            case LEASE_ENDED -> {
                Loss loss = LossMapper.of(message.getLeaseEnded().getReason(), "");
                lease.end(loss, new UnavailableException("the session has ended: " + loss.reason()));
            }
            default -> {} // an answer to what nobody waits for any more
        }
    }

    @Override
    public boolean isListening() {
        return !leases.isEmpty();
    }

    @Override
    public void look(long nowNanos, long patienceNanos, String problem) {
        if (!session.isConnected()) {
            List.copyOf(leases.values()).forEach(lease -> lease.look(nowNanos, patienceNanos, problem));
        }
    }

    @Override
    public void barred(Error error, HoldfastException refusal) {
        List.copyOf(leases.values())
                .forEach(lease -> lease.end(new Loss(Loss.Reason.REVOKED, error.getMessage()), refusal));
    }

    @Override
    public void close() {
        for (ClientLease lease : List.copyOf(leases.values())) {
            lease.end(new Loss(Loss.Reason.SESSION_CLOSED, "the client was closed"), Session.clientClosed());
            revoke(lease);
        }
    }
}
