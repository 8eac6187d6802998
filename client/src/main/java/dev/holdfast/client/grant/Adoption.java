package dev.holdfast.client.grant;

import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.lease.ClientLease;
import dev.holdfast.client.lease.Leases;
import dev.holdfast.client.session.ErrorMapper;
import dev.holdfast.client.session.Exchange;
import dev.holdfast.client.session.Session;
import dev.holdfast.protocol.v1.Attach;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Renew;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.concurrent.CompletableFuture;

/** Takes up the lease and the grant that another client gave out of its hands. */
final class Adoption implements Exchange {
    private final Session session;
    private final Leases leases;
    private final ExportedGrant exported;
    private final ClientLease lease;
    private final CompletableFuture<Grant> reply;
    private final long begunNanos;
    private boolean renewed;

    Adoption(
            Session session, Leases leases, ClientLease lease, ExportedGrant exported, CompletableFuture<Grant> reply) {
        this.session = session;
        this.leases = leases;
        this.lease = lease;
        this.exported = exported;
        this.reply = reply;
        this.begunNanos = session.now();
    }

    /**
     * First it is renewed, for only a renewal says until when it may be believed in; then it is attached to. In the
     * other order an end that is told in between would find no grant here yet.
     */
    @Override
    public void write(ClientMessage.Builder message) {
        if (renewed) {
            message.setAttach(Attach.newBuilder().setLeaseId(lease.id()));
        } else {
            message.setRenew(Renew.newBuilder().addLeaseIds(lease.id()));
        }
    }

    @Override
    public boolean isWanted() {
        return !reply.isDone();
    }

    @Override
    public void answered(ServerMessage answer, long sentNanos) {
        if (renewed) {
            attached(answer);
            return;
        }
        lease.confirmed(
                sentNanos, answer.getClusterTimeMs(), answer.getRenewed().getEndMs(0));
        if (lease.isLive()) {
            renewed = true;
            session.submit(this);
        } else {
            gone();
        }
    }

    private void attached(ServerMessage answer) {
        if (lease.isLive() && answer.getAttached().getFencingTokensList().contains(exported.token())) {
            HeldGrant grant = new HeldGrant(session, leases, lease, exported);
            lease.holds(grant);
            reply.complete(grant);
        } else {
            gone();
        }
    }

    private void gone() {
        reply.completeExceptionally(new LockLostException(
                "the grant " + exported.token() + " of " + exported.keys() + " has ended; acquire the lock again"));
    }

    @Override
    public void refused(Error error) {
        reply.completeExceptionally(ErrorMapper.exception(error));
    }

    @Override
    public void giveUpIfOverdue(long nowNanos, long patienceNanos, String problem) {
        if (nowNanos - begunNanos > patienceNanos) {
            reply.completeExceptionally(new UnavailableException(problem));
        }
    }
}
