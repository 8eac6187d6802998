package dev.holdfast.core.codec;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches as bytes.
 *
 * <p>A batch is decoded whole before any of it is applied. A command this code does not know is an error: the node must
 * stop, because it would no longer agree with the others.
 */
public final class CommandCodec {
    private static final int VERSION = 1;

    static final int GRANT_LEASE = 1;

    /** As it was written before there were other extensions than by some time. */
    static final int EXTEND_LEASE_BY = 2;

    static final int REVOKE_LEASE = 3;
    static final int ACQUIRE = 4;
    static final int UPGRADE = 5;
    static final int DOWNGRADE = 6;
    static final int RELEASE = 7;
    static final int CANCEL = 8;
    static final int FORCE_RELEASE = 9;
    static final int SET_LIMIT = 10;
    static final int RAISE_FEATURE_LEVEL = 11;
    static final int DESCRIBE = 12;
    static final int EXTEND_LEASE = 13;

    private CommandCodec() {}

    public static byte[] encode(Batch batch) {
        ByteWriter out = new ByteWriter(64 + 64 * batch.commands().size() + Long.BYTES * batch.renewals().length);
        out.putByte(VERSION);
        out.putSigned(batch.clockTerm());
        out.putSigned(batch.clusterTimeMillis());
        out.putSigned(batch.wallMillis());
        out.putUnsigned(batch.renewals().length);
        for (long id : batch.renewals()) {
            out.putFixed(id);
        }
        out.putUnsigned(batch.commands().size());
        CommandWriter writer = new CommandWriter(out);
        for (Command command : batch.commands()) {
            command.match(writer);
        }
        return out.toByteArray();
    }

    public static Batch decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        int version = in.getByte("version");
        if (version != VERSION) {
            throw new CodecException("batch version " + version + " is not known; this code knows " + VERSION);
        }
        long clockTerm = in.getSigned("clockTerm");
        long clusterTime = in.getSigned("clusterTimeMillis");
        long wall = in.getSigned("wallMillis");
        long[] renewals = new long[in.getCount("renewals", CodecBounds.BATCH_RENEWALS)];
        for (int i = 0; i < renewals.length; i++) {
            renewals[i] = in.getFixed("renewal");
        }
        int count = in.getCount("commands", CodecBounds.BATCH_COMMANDS);
        List<Command> commands = new ArrayList<>(Math.min(count, bytes.length));
        for (int i = 0; i < count; i++) {
            commands.add(getCommand(in));
        }
        in.expectEnd();
        return new Batch(clockTerm, clusterTime, wall, renewals, commands);
    }

    private static Command getCommand(ByteReader in) {
        int code = in.getByte("command");
        if (code == FORCE_RELEASE) {
            return new Command.ForceRelease(
                    in.getKey("key"),
                    in.getSigned("token"),
                    in.getString("by", CodecBounds.METADATA_BYTES),
                    in.getString("reason", CodecBounds.METADATA_BYTES));
        }
        if (code == SET_LIMIT) {
            Limit limit = Enums.limit(in.getByte("limit"));
            return new Command.SetLimit(limit, in.getSigned("value"));
        }
        if (code == RAISE_FEATURE_LEVEL) {
            return new Command.RaiseFeatureLevel(in.getSignedInt("level"));
        }
        if ((code < GRANT_LEASE || code > CANCEL) && code != DESCRIBE && code != EXTEND_LEASE) {
            throw new CodecException("command " + code + " is not known to this version");
        }
        return getOfLease(in, code, Enums.lease(in), in.getString("principal", CodecBounds.METADATA_BYTES));
    }

    private static Command getOfLease(ByteReader in, int code, LeaseId lease, String principal) {
        return switch (code) {
            case GRANT_LEASE ->
                new Command.GrantLease(
                        lease,
                        principal,
                        in.getString("clientId", CodecBounds.METADATA_BYTES),
                        in.getSigned("ttlMillis"),
                        in.getSigned("lockDelayMillis"));
            case EXTEND_LEASE_BY -> Command.ExtendLease.by(lease, principal, in.getSigned("additionalMillis"));
            case EXTEND_LEASE ->
                new Command.ExtendLease(
                        lease,
                        principal,
                        in.getSigned("additionalMillis"),
                        in.getSigned("ttlMillis"),
                        in.getFixed("requestId"));
            case REVOKE_LEASE -> new Command.RevokeLease(lease, principal);
            case ACQUIRE -> getAcquire(in, lease, principal);
            case UPGRADE ->
                new Command.Upgrade(
                        lease,
                        principal,
                        in.getSigned("seq"),
                        in.getSigned("ackedBelow"),
                        in.getKey("key"),
                        in.getSigned("token"),
                        in.getFixed("actor"),
                        in.getSigned("waitMillis"));
            case DOWNGRADE -> new Command.Downgrade(lease, principal, in.getKey("key"), in.getSigned("token"));
            case RELEASE ->
                new Command.Release(
                        lease, principal, in.getKey("key"), in.getSigned("token"), in.getSigned("ackedBelow"));
            case DESCRIBE ->
                new Command.Describe(lease, principal, in.getKey("key"), in.getSigned("token"), getMetadata(in));
            case CANCEL -> new Command.Cancel(lease, principal, in.getSigned("seq"), in.getSigned("ackedBelow"));
            default -> throw new CodecException("command " + code + " is not known to this version");
        };
    }

    private static Command.Acquire getAcquire(ByteReader in, LeaseId lease, String principal) {
        long seq = in.getSigned("seq");
        long ackedBelow = in.getSigned("ackedBelow");
        int count = in.getCount("items", CodecBounds.COMMAND_ITEMS);
        List<Item> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(getItem(in));
        }
        return new Command.Acquire(
                lease,
                principal,
                seq,
                ackedBelow,
                items,
                in.getFixed("owner"),
                in.getFixed("actor"),
                in.getSigned("waitMillis"),
                in.getSigned("maxHoldMillis"),
                in.getBoolean("leaseCoversWait"),
                in.getString("purpose", CodecBounds.METADATA_BYTES),
                getMetadata(in));
    }

    private static Metadata getMetadata(ByteReader in) {
        return Metadata.of(in.getBytes("metadata", CodecBounds.METADATA_BYTES));
    }

    private static Item getItem(ByteReader in) {
        var key = in.getKey("key");
        int code = in.getByte("kind");
        return new Item(key, Enums.kind(code), Enums.mode(code), in.getSignedInt("capacity"), in.getSignedInt("count"));
    }
}
