package dev.holdfast.client.grant;

import dev.holdfast.client.lease.LeaseRequest;
import dev.holdfast.client.session.Session;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.UpgradeRequest;

/** A request to make a shared grant exclusive. */
final class GrantUpgrade extends LeaseRequest<HeldGrant> {
    private final HeldGrant grant;
    private final long token;
    private final long actor;

    GrantUpgrade(Session session, HeldGrant grant, long waitNanos, long actor) {
        super(session, grant.lease(), waitNanos);
        this.grant = grant;
        this.token = grant.token();
        this.actor = actor;
    }

    @Override
    public void write(ClientMessage.Builder message) {
        sending();
        message.setUpgrade(UpgradeRequest.newBuilder()
                .setName(grant.key())
                .setLeaseId(lease().id())
                .setFencingToken(token)
                .setSeq(seq())
                .setAckedBelow(lease().ackedBelow())
                .setTimeoutMs(timeoutMillis())
                .setActor(actor));
    }

    @Override
    protected HeldGrant granted(LockResponse lock) {
        grant.upgraded(lock.getFencingToken());
        return grant;
    }

    @Override
    protected boolean outlivesItsCaller() {
        return true;
    }

    @Override
    protected void settled() {
        grant.settled();
    }

    /** Nobody waits for it any more, but the grant is the caller's: it stays, exclusive. */
    @Override
    protected void giveBack(HeldGrant kept) {}
}
