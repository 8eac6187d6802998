package dev.holdfast.client.session;

import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;

/** A request for a new grant. */
final class AcquireRequest extends Request {
    private final Session session;
    private final Wish wish;

    AcquireRequest(Session session, ClientLease lease, Wish wish) {
        super(session, lease, wish.waitNanos());
        this.session = session;
        this.wish = wish;
    }

    @Override
    public void write(ClientMessage.Builder message) {
        sending();
        LockRequest.Builder request = LockRequest.newBuilder()
                .setLeaseId(lease().id())
                .setSeq(seq())
                .setAckedBelow(lease().ackedBelow())
                .setTimeoutMs(timeoutMillis());
        wish.write(request);
        message.setAcquire(request);
    }

    @Override
    HeldGrant granted(LockResponse lock) {
        HeldGrant grant = new HeldGrant(session, lease(), lock, wish.isShared());
        lease().holds(grant);
        return grant;
    }

    @Override
    boolean outlivesItsCaller() {
        return false;
    }

    @Override
    void settled() {}

    @Override
    void giveBack(HeldGrant grant) {
        grant.closeNow();
    }
}
