package dev.holdfast.client.lease;

import dev.holdfast.client.session.Exchange;
import dev.holdfast.protocol.v1.CancelRequest;
import dev.holdfast.protocol.v1.CancelResponse;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ServerMessage;

/** Takes a request back: whatever has become of it, nothing is left. Sent until it is answered. */
final class CancelExchange implements Exchange {
    private final LeaseRequest<?> request;

    CancelExchange(LeaseRequest<?> request) {
        this.request = request;
    }

    @Override
    public void write(ClientMessage.Builder message) {
        message.setCancel(CancelRequest.newBuilder()
                .setLeaseId(request.lease().id())
                .setSeq(request.seq())
                .setAckedBelow(request.lease().ackedBelow()));
    }

    @Override
    public void answered(ServerMessage answer, long sentNanos) {
        request.cancelled(answer.getCancelled().getWas());
    }

    @Override
    public void refused(Error error) {
        request.cancelled(CancelResponse.Was.WAITING); // the lease is gone, and with it the request
    }

    @Override
    public boolean isWanted() {
        return request.state() == LeaseRequest.State.ABANDONED;
    }
}
