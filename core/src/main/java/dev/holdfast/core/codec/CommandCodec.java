package dev.holdfast.core.codec;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches as bytes.
 *
 * <p>A batch is decoded whole before any of it is applied. A command this code does not know is an
 * error: the node must stop, for it would no longer agree with the others.
 */
public final class CommandCodec {
    private static final int VERSION = 1;

    private static final int GRANT_LEASE = 1;
    private static final int EXTEND_LEASE = 2;
    private static final int REVOKE_LEASE = 3;
    private static final int ACQUIRE = 4;
    private static final int UPGRADE = 5;
    private static final int DOWNGRADE = 6;
    private static final int RELEASE = 7;
    private static final int CANCEL = 8;
    private static final int FORCE_RELEASE = 9;
    private static final int SET_LIMIT = 10;
    private static final int RAISE_FEATURE_LEVEL = 11;
    private static final int DESCRIBE = 12;

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
        for (Command command : batch.commands()) {
            put(out, command);
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

    private static void put(ByteWriter out, Command command) {
        if (command instanceof Command.Acquire c) {
            putAcquire(out, c);
        } else if (command instanceof Command.Release c) {
            putLease(out, RELEASE, c);
            putKey(out, c.key());
            out.putSigned(c.token());
            out.putSigned(c.ackedBelow());
        } else if (command instanceof Command.Cancel c) {
            putLease(out, CANCEL, c);
            out.putSigned(c.seq());
            out.putSigned(c.ackedBelow());
        } else if (command instanceof Command.GrantLease c) {
            putLease(out, GRANT_LEASE, c);
            putText(out, "clientId", c.clientId());
            out.putSigned(c.ttlMillis());
            out.putSigned(c.lockDelayMillis());
        } else if (command instanceof Command.ExtendLease c) {
            putLease(out, EXTEND_LEASE, c);
            out.putSigned(c.additionalMillis());
        } else if (command instanceof Command.RevokeLease c) {
            putLease(out, REVOKE_LEASE, c);
        } else if (command instanceof Command.Upgrade c) {
            putUpgrade(out, c);
        } else if (command instanceof Command.Downgrade c) {
            putLease(out, DOWNGRADE, c);
            putKey(out, c.key());
            out.putSigned(c.token());
        } else if (command instanceof Command.Describe c) {
            putLease(out, DESCRIBE, c);
            putKey(out, c.key());
            out.putSigned(c.token());
            putMetadata(out, c.metadata());
        } else if (command instanceof Command.ForceRelease c) {
            out.putByte(FORCE_RELEASE);
            putKey(out, c.key());
            out.putSigned(c.token());
            putText(out, "by", c.by());
            putText(out, "reason", c.reason());
        } else if (command instanceof Command.SetLimit c) {
            out.putByte(SET_LIMIT);
            out.putByte(c.limit().id());
            out.putSigned(c.value());
        } else if (command instanceof Command.RaiseFeatureLevel c) {
            out.putByte(RAISE_FEATURE_LEVEL);
            out.putSigned(c.level());
        } else {
            throw new IllegalStateException("no code for " + command.getClass().getName());
        }
    }

    /** What could not be read back must never get into the log. */
    private static void bounded(String field, long size, long most) {
        if (size > most) {
            throw new IllegalArgumentException(field + ": " + size + " is above " + most);
        }
    }

    private static void putText(ByteWriter out, String field, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        bounded(field, utf8.length, CodecBounds.METADATA_BYTES);
        out.putBytes(utf8);
    }

    private static void putKey(ByteWriter out, LockKey key) {
        bounded("key", key.length(), CodecBounds.KEY_BYTES);
        out.putKey(key);
    }

    private static void putLease(ByteWriter out, int code, Command.OfLease command) {
        out.putByte(code);
        out.putFixed(command.lease().value());
        putText(out, "principal", command.principal());
    }

    private static void putAcquire(ByteWriter out, Command.Acquire c) {
        putLease(out, ACQUIRE, c);
        out.putSigned(c.seq());
        out.putSigned(c.ackedBelow());
        bounded("items", c.items().size(), CodecBounds.COMMAND_ITEMS);
        out.putUnsigned(c.items().size());
        for (Item item : c.items()) {
            putKey(out, item.key());
            out.putByte(Enums.code(item.kind(), item.mode()));
            out.putSigned(item.capacity());
            out.putSigned(item.count());
        }
        out.putFixed(c.owner());
        out.putFixed(c.actor());
        out.putSigned(c.waitMillis());
        out.putSigned(c.maxHoldMillis());
        out.putBoolean(c.leaseCoversWait());
        putText(out, "purpose", c.purpose());
        putMetadata(out, c.metadata());
    }

    private static void putMetadata(ByteWriter out, Metadata metadata) {
        bounded("metadata", metadata.length(), CodecBounds.METADATA_BYTES);
        out.putBytes(metadata.bytes());
    }

    private static void putUpgrade(ByteWriter out, Command.Upgrade c) {
        putLease(out, UPGRADE, c);
        out.putSigned(c.seq());
        out.putSigned(c.ackedBelow());
        putKey(out, c.key());
        out.putSigned(c.token());
        out.putFixed(c.actor());
        out.putSigned(c.waitMillis());
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
        if ((code < GRANT_LEASE || code > CANCEL) && code != DESCRIBE) {
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
            case EXTEND_LEASE -> new Command.ExtendLease(lease, principal, in.getSigned("additionalMillis"));
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
