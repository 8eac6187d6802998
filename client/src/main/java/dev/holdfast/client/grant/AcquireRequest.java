package dev.holdfast.client.grant;

import dev.holdfast.client.lease.ClientLease;
import dev.holdfast.client.lease.LeaseRequest;
import dev.holdfast.client.lease.Leases;
import dev.holdfast.client.session.Session;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;

/** A request for a new grant. */
final class AcquireRequest extends LeaseRequest<HeldGrant> {
    private final Session session;
    private final Leases leases;
    private final AcquireOptions options;

    AcquireRequest(Session session, Leases leases, ClientLease lease, AcquireOptions options) {
        super(session, lease, options.waitNanos());
        this.session = session;
        this.leases = leases;
        this.options = options;
    }

    @Override
    public void write(ClientMessage.Builder message) {
        sending();
        LockRequest.Builder request = LockRequest.newBuilder()
                .setLeaseId(lease().id())
                .setSeq(seq())
                .setAckedBelow(lease().ackedBelow())
                .setTimeoutMs(timeoutMillis());
        options.write(request);
        message.setAcquire(request);
    }

    @Override
    protected HeldGrant granted(LockResponse lock) {
        HeldGrant grant = new HeldGrant(session, leases, lease(), lock, options.isShared());
        lease().holds(grant);
        return grant;
    }

    @Override
    protected boolean outlivesItsCaller() {
        return false;
    }

    @Override
    protected void settled() {}

    @Override
    protected void giveBack(HeldGrant grant) {
        grant.closeNow();
    }
}
