package dev.holdfast.core.codec;

import dev.holdfast.core.result.Result;

/** Writes results; {@link ResultCodec} reads them. */
record ResultWriter(ByteWriter out) implements Result.Cases<ByteWriter> {

    @Override
    public ByteWriter leaseGranted(Result.LeaseGranted result) {
        out.putByte(ResultCodec.LEASE_GRANTED);
        out.putUnsigned(result.ttlMillis());
        out.putUnsigned(result.endMillis());
        out.putSigned(result.asked());
        return out;
    }

    @Override
    public ByteWriter leaseRevoked(Result.LeaseRevoked result) {
        out.putByte(ResultCodec.LEASE_REVOKED);
        return out;
    }

    @Override
    public ByteWriter granted(Result.Granted result) {
        out.putByte(ResultCodec.GRANTED);
        out.putUnsigned(result.token().value());
        EventCodec.putHolds(out, result.holds());
        out.putUnsigned(result.leaseEndMillis());
        out.putUnsigned(result.holdEndMillis());
        return out;
    }

    @Override
    public ByteWriter queued(Result.Queued result) {
        out.putByte(ResultCodec.QUEUED);
        out.putUnsigned(result.revision());
        out.putUnsigned(result.position());
        out.putKey(result.blockedOn());
        out.putBoolean(result.deadlockChecked());
        return out;
    }

    @Override
    public ByteWriter released(Result.Released result) {
        out.putByte(ResultCodec.RELEASED);
        out.putUnsigned(result.token().value());
        return out;
    }

    @Override
    public ByteWriter alreadyReleased(Result.AlreadyReleased result) {
        out.putByte(ResultCodec.ALREADY_RELEASED);
        return out;
    }

    @Override
    public ByteWriter downgraded(Result.Downgraded result) {
        out.putByte(ResultCodec.DOWNGRADED);
        out.putUnsigned(result.token().value());
        EventCodec.putHolds(out, result.holds());
        return out;
    }

    @Override
    public ByteWriter described(Result.Described result) {
        out.putByte(ResultCodec.DESCRIBED);
        out.putUnsigned(result.token().value());
        return out;
    }

    @Override
    public ByteWriter cancelled(Result.Cancelled result) {
        out.putByte(ResultCodec.CANCELLED);
        out.putByte(ResultCodec.codeOf(result.was()));
        return out;
    }

    @Override
    public ByteWriter ended(Result.Ended result) {
        out.putByte(ResultCodec.ENDED);
        out.putUnsigned(result.token().value());
        out.putByte(result.reason().id());
        return out;
    }

    @Override
    public ByteWriter changed(Result.Changed result) {
        out.putByte(ResultCodec.CHANGED);
        return out;
    }

    @Override
    public ByteWriter refused(Result.Refused result) {
        out.putByte(ResultCodec.REFUSED);
        out.putByte(result.code().id());
        out.putString(result.subject());
        out.putSigned(result.limit());
        out.putSigned(result.actual());
        out.putUnsigned(result.blockers().size());
        for (Result.Blocker blocker : result.blockers()) {
            out.putKey(blocker.key());
            out.putString(blocker.clientId());
            out.putUnsigned(blocker.token());
        }
        return out;
    }
}
