package dev.holdfast.core.codec;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.event.Event;

/** Writes events; {@link EventCodec} reads them. */
record EventWriter(ByteWriter out) implements Event.Cases<ByteWriter> {

    @Override
    public ByteWriter leaseStarted(Event.LeaseStarted event) {
        putLease(EventCodec.LEASE_STARTED, event, event.lease(), event.clientId());
        out.putUnsigned(event.ttlMillis());
        return out;
    }

    @Override
    public ByteWriter leaseExtended(Event.LeaseExtended event) {
        putLease(EventCodec.LEASE_EXTENDED, event, event.lease(), event.clientId());
        out.putUnsigned(event.ttlMillis());
        out.putUnsigned(event.endMillis());
        return out;
    }

    @Override
    public ByteWriter leaseEnded(Event.LeaseEnded event) {
        putLease(EventCodec.LEASE_ENDED, event, event.lease(), event.clientId());
        out.putByte(event.reason().id());
        return out;
    }

    @Override
    public ByteWriter queued(Event.Queued event) {
        putParty(EventCodec.QUEUED, event);
        return out;
    }

    @Override
    public ByteWriter left(Event.Left event) {
        putParty(EventCodec.LEFT, event);
        out.putByte(event.reason().id());
        return out;
    }

    @Override
    public ByteWriter granted(Event.Granted event) {
        putParty(EventCodec.GRANTED, event);
        out.putUnsigned(event.token().value());
        out.putUnsigned(event.queuedRevision());
        out.putUnsigned(event.leaseEndMillis());
        out.putUnsigned(event.holdEndMillis());
        out.putString(event.purpose());
        out.putBytes(event.metadata().bytes());
        return out;
    }

    @Override
    public ByteWriter released(Event.Released event) {
        putParty(EventCodec.RELEASED, event);
        out.putUnsigned(event.token().value());
        out.putByte(event.reason().id());
        out.putString(event.detail());
        return out;
    }

    @Override
    public ByteWriter modeChanged(Event.ModeChanged event) {
        putParty(EventCodec.MODE_CHANGED, event);
        out.putUnsigned(event.token().value());
        out.putUnsigned(event.previousToken().value());
        out.putUnsigned(event.seq());
        return out;
    }

    @Override
    public ByteWriter described(Event.Described event) {
        putParty(EventCodec.DESCRIBED, event);
        out.putUnsigned(event.token().value());
        out.putBytes(event.metadata().bytes());
        return out;
    }

    @Override
    public ByteWriter delayEnded(Event.DelayEnded event) {
        putParty(EventCodec.DELAY_ENDED, event);
        return out;
    }

    private void putLease(int code, Event event, LeaseId lease, String clientId) {
        out.putByte(code);
        out.putUnsigned(event.revision());
        out.putUnsigned(event.at());
        out.putSigned(event.wallMillis());
        out.putFixed(lease.value());
        out.putString(clientId);
    }

    private void putParty(int code, Event.OfLocks event) {
        putLease(code, event, event.party().lease(), event.party().clientId());
        out.putUnsigned(event.party().seq());
        EventCodec.putHolds(out, event.holds());
    }
}
