package dev.holdfast.client.watch;

import dev.holdfast.client.session.Exchange;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.WatchRequest;
import java.util.function.BooleanSupplier;

/** Ends a watch at the cluster. Only on the stream that has it: it ends with the stream anyway. */
final class WatchCancel implements Exchange {
    private final long number;
    private final BooleanSupplier sameStream;

    WatchCancel(long number, BooleanSupplier sameStream) {
        this.number = number;
        this.sameStream = sameStream;
    }

    @Override
    public boolean isWanted() {
        return sameStream.getAsBoolean();
    }

    @Override
    public void write(ClientMessage.Builder message) {
        message.setWatch(WatchRequest.newBuilder().setWatchId(number).setCancel(true));
    }

    @Override
    public void answered(ServerMessage answer, long sentNanos) {
        // Ended, or unknown because the node ended it just before: either way it is over.
    }

    @Override
    public void refused(Error error) {}
}
