package dev.holdfast.client.session;

import dev.holdfast.client.Grant;
import dev.holdfast.client.LockLostException;
import dev.holdfast.client.UnavailableException;
import dev.holdfast.protocol.v1.Attach;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Renew;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.concurrent.CompletableFuture;

/** Takes up the lease and the grant that another client gave out of its hands. */
final class Adoption implements Exchange, Impatient {
    private final Session session;
    private final GrantText text;
    private final ClientLease lease;
    private final CompletableFuture<Grant> reply;
    private final long begunNanos;
    private boolean renewed;

    Adoption(Session session, GrantText text, CompletableFuture<Grant> reply) {
        this.session = session;
        this.text = text;
        this.reply = reply;
        this.begunNanos = session.now();
        this.lease = new ClientLease(session, text.leaseId(), text.ttlMillis(), 0, true);
        lease.numberedFrom(text.lastSeq());
    }

    ClientLease lease() {
        return lease;
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
        if (lease.isLive() && answer.getAttached().getFencingTokensList().contains(text.token())) {
            HeldGrant grant = new HeldGrant(session, lease, text);
            lease.holds(grant);
            reply.complete(grant);
        } else {
            gone();
        }
    }

    private void gone() {
        reply.completeExceptionally(new LockLostException(
                "the grant " + text.token() + " of " + text.keys() + " has ended; acquire the lock anew"));
    }

    @Override
    public void refused(Error error) {
        reply.completeExceptionally(Refusal.exception(error));
    }

    @Override
    public void look(long nowNanos, long patienceNanos, String problem) {
        if (nowNanos - begunNanos > patienceNanos) {
            reply.completeExceptionally(new UnavailableException(problem));
        }
    }
}
