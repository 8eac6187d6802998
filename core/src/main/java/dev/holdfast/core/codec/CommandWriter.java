package dev.holdfast.core.codec;

import dev.holdfast.core.Item;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Command;
import java.nio.charset.StandardCharsets;

/** Writes commands; {@link CommandCodec} reads them. */
record CommandWriter(ByteWriter out) implements Command.Cases<ByteWriter> {

    @Override
    public ByteWriter grantLease(Command.GrantLease c) {
        putLease(CommandCodec.GRANT_LEASE, c);
        putText("clientId", c.clientId());
        out.putSigned(c.ttlMillis());
        out.putSigned(c.lockDelayMillis());
        return out;
    }

    @Override
    public ByteWriter extendLease(Command.ExtendLease c) {
        putLease(CommandCodec.EXTEND_LEASE, c);
        out.putSigned(c.additionalMillis());
        out.putSigned(c.ttlMillis());
        out.putFixed(c.requestId());
        return out;
    }

    @Override
    public ByteWriter revokeLease(Command.RevokeLease c) {
        putLease(CommandCodec.REVOKE_LEASE, c);
        return out;
    }

    @Override
    public ByteWriter acquire(Command.Acquire c) {
        putLease(CommandCodec.ACQUIRE, c);
        out.putSigned(c.seq());
        out.putSigned(c.ackedBelow());
        bounded("items", c.items().size(), CodecBounds.COMMAND_ITEMS);
        out.putUnsigned(c.items().size());
        for (Item item : c.items()) {
            putKey(item.key());
            out.putByte(Enums.code(item.kind(), item.mode()));
            out.putSigned(item.capacity());
            out.putSigned(item.count());
        }
        out.putFixed(c.owner());
        out.putFixed(c.actor());
        out.putSigned(c.waitMillis());
        out.putSigned(c.maxHoldMillis());
        out.putBoolean(c.leaseCoversWait());
        putText("purpose", c.purpose());
        putMetadata(c.metadata());
        return out;
    }

    @Override
    public ByteWriter upgrade(Command.Upgrade c) {
        putLease(CommandCodec.UPGRADE, c);
        out.putSigned(c.seq());
        out.putSigned(c.ackedBelow());
        putKey(c.key());
        out.putSigned(c.token());
        out.putFixed(c.actor());
        out.putSigned(c.waitMillis());
        return out;
    }

    @Override
    public ByteWriter downgrade(Command.Downgrade c) {
        putLease(CommandCodec.DOWNGRADE, c);
        putKey(c.key());
        out.putSigned(c.token());
        return out;
    }

    @Override
    public ByteWriter describe(Command.Describe c) {
        putLease(CommandCodec.DESCRIBE, c);
        putKey(c.key());
        out.putSigned(c.token());
        putMetadata(c.metadata());
        return out;
    }

    @Override
    public ByteWriter release(Command.Release c) {
        putLease(CommandCodec.RELEASE, c);
        putKey(c.key());
        out.putSigned(c.token());
        out.putSigned(c.ackedBelow());
        return out;
    }

    @Override
    public ByteWriter cancel(Command.Cancel c) {
        putLease(CommandCodec.CANCEL, c);
        out.putSigned(c.seq());
        out.putSigned(c.ackedBelow());
        return out;
    }

    @Override
    public ByteWriter forceRelease(Command.ForceRelease c) {
        out.putByte(CommandCodec.FORCE_RELEASE);
        putKey(c.key());
        out.putSigned(c.token());
        putText("by", c.by());
        putText("reason", c.reason());
        return out;
    }

    @Override
    public ByteWriter setLimit(Command.SetLimit c) {
        out.putByte(CommandCodec.SET_LIMIT);
        out.putByte(c.limit().id());
        out.putSigned(c.value());
        return out;
    }

    @Override
    public ByteWriter raiseFeatureLevel(Command.RaiseFeatureLevel c) {
        out.putByte(CommandCodec.RAISE_FEATURE_LEVEL);
        out.putSigned(c.level());
        return out;
    }

    private void putLease(int code, Command.OfLease command) {
        out.putByte(code);
        out.putFixed(command.lease().value());
        putText("principal", command.principal());
    }

    private void putText(String field, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        bounded(field, utf8.length, CodecBounds.METADATA_BYTES);
        out.putBytes(utf8);
    }

    private void putKey(LockKey key) {
        bounded("key", key.length(), CodecBounds.KEY_BYTES);
        out.putKey(key);
    }

    private void putMetadata(Metadata metadata) {
        bounded("metadata", metadata.length(), CodecBounds.METADATA_BYTES);
        out.putBytes(metadata.bytes());
    }

    /** What could not be read back must never get into the log. */
    private static void bounded(String field, long size, long most) {
        if (size > most) {
            throw new IllegalArgumentException(field + ": " + size + " is above " + most);
        }
    }
}
