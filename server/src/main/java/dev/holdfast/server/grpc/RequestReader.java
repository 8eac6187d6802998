package dev.holdfast.server.grpc;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command;
import dev.holdfast.protocol.v1.CancelRequest;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.DowngradeRequest;
import dev.holdfast.protocol.v1.LeaseExtendRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UpgradeRequest;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.request.Rejected;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** Reads requests as commands. Refuses only what a command cannot express. */
final class RequestReader {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long MILLIS_PER_SECOND = 1_000;

    private final Bounds bounds;

    RequestReader(Bounds bounds) {
        this.bounds = bounds;
    }

    Command.GrantLease grantLease(LeaseGrantRequest request, Caller caller, String clientIdIfNone) {
        String clientId = request.getClientId().isEmpty() ? clientIdIfNone : request.getClientId();
        return new Command.GrantLease(
                request.getId() == 0 ? randomId() : new LeaseId(request.getId()),
                caller.principal(),
                clientId,
                ttlMillis(request),
                request.getLockDelayMs());
    }

    Command.RevokeLease revokeLease(LeaseRevokeRequest request, Caller caller) {
        return new Command.RevokeLease(lease("id", request.getId()), caller.principal());
    }

    Command.ExtendLease extendLease(LeaseExtendRequest request, Caller caller) {
        return new Command.ExtendLease(
                lease("id", request.getId()), caller.principal(), request.getAdditionalMs(), request.getTtlMs(), 0);
    }

    Command.Acquire acquire(LockRequest request, Caller caller) {
        return new Command.Acquire(
                lease("lease_id", request.getLeaseId()),
                caller.principal(),
                request.getSeq(),
                request.getAckedBelow(),
                items(request.getName(), request.getMode(), request.getItemsList()),
                request.getOwner(),
                request.getActor(),
                request.getTimeoutMs(),
                request.getMaxHoldMs(),
                request.getLeaseCoversWait(),
                request.getPurpose(),
                Metadata.of(request.getMetadata().toByteArray()));
    }

    Command.Acquire acquire(TryLockRequest request, Caller caller) {
        return new Command.Acquire(
                lease("lease_id", request.getLeaseId()),
                caller.principal(),
                request.getSeq(),
                request.getAckedBelow(),
                items(request.getName(), request.getMode(), request.getItemsList()),
                request.getOwner(),
                0,
                0,
                request.getMaxHoldMs(),
                false,
                request.getPurpose(),
                Metadata.of(request.getMetadata().toByteArray()));
    }

    Command.Release release(UnlockRequest request, Caller caller) {
        return new Command.Release(
                lease("lease_id", request.getLeaseId()),
                caller.principal(),
                bounds.key("name", request.getName()),
                request.getFencingToken(),
                request.getAckedBelow());
    }

    Command.Upgrade upgrade(UpgradeRequest request, Caller caller) {
        return new Command.Upgrade(
                lease("lease_id", request.getLeaseId()),
                caller.principal(),
                request.getSeq(),
                request.getAckedBelow(),
                bounds.key("name", request.getName()),
                request.getFencingToken(),
                request.getActor(),
                request.getTimeoutMs());
    }

    Command.Downgrade downgrade(DowngradeRequest request, Caller caller) {
        return new Command.Downgrade(
                lease("lease_id", request.getLeaseId()),
                caller.principal(),
                bounds.key("name", request.getName()),
                request.getFencingToken());
    }

    Command.Describe describe(DescribeRequest request, Caller caller) {
        return new Command.Describe(
                lease("lease_id", request.getLeaseId()),
                caller.principal(),
                bounds.key("name", request.getName()),
                request.getFencingToken(),
                Metadata.of(request.getMetadata().toByteArray()));
    }

    Command.Cancel cancel(CancelRequest request, Caller caller) {
        return new Command.Cancel(
                lease("lease_id", request.getLeaseId()), caller.principal(), request.getSeq(), request.getAckedBelow());
    }

    static LeaseId lease(String field, long id) {
        if (id == 0) {
            throw Rejected.invalid(field, "is 0; name the lease");
        }
        return new LeaseId(id);
    }

    private List<Item> items(
            String name, dev.holdfast.protocol.v1.Mode mode, List<dev.holdfast.protocol.v1.Item> asked) {
        if (asked.isEmpty()) {
            return List.of(new Item(bounds.key("name", name), Kind.PLAIN, mode("mode", mode), 0, 0));
        }
        if (!name.isEmpty()) {
            throw Rejected.invalid("name", "is given beside items; give one of them");
        }
        if (mode != dev.holdfast.protocol.v1.Mode.EXCLUSIVE) {
            throw Rejected.invalid("mode", "is given beside items, which have modes of their own");
        }
        bounds.size("items", asked.size(), Limit.KEYS_PER_REQUEST);
        List<Item> items = new ArrayList<>(asked.size());
        for (dev.holdfast.protocol.v1.Item item : asked) {
            Kind kind = kind(item.getKind());
            int count = kind == Kind.PERMITS && item.getCount() == 0 ? 1 : item.getCount();
            items.add(new Item(
                    bounds.key("items.key", item.getKey()),
                    kind,
                    mode("items.mode", item.getMode()),
                    item.getCapacity(),
                    count));
        }
        return items;
    }

    private static Kind kind(dev.holdfast.protocol.v1.Kind kind) {
        return switch (kind) {
            case PLAIN -> Kind.PLAIN;
            case SUBTREE -> Kind.SUBTREE;
            case PERMITS -> Kind.PERMITS;
            case UNRECOGNIZED -> throw Rejected.invalid("items.kind", "is not known to this version of the server");
        };
    }

    private static Mode mode(String field, dev.holdfast.protocol.v1.Mode mode) {
        return switch (mode) {
            case EXCLUSIVE -> Mode.EXCLUSIVE;
            case SHARED -> Mode.SHARED;
            case UNRECOGNIZED -> throw Rejected.invalid(field, "is not known to this version of the server");
        };
    }

    private static long ttlMillis(LeaseGrantRequest request) {
        long asked = request.getTtlMs() != 0 ? request.getTtlMs() : request.getTtl();
        long unit = request.getTtlMs() != 0 ? 1 : MILLIS_PER_SECOND;
        if (asked <= 0 || asked > Long.MAX_VALUE / unit) {
            throw Rejected.invalid(
                    "ttl", 1, asked, asked + " is not a valid duration for a lease; give a positive " + "number");
        }
        return asked * unit;
    }

    private static LeaseId randomId() {
        long id = RANDOM.nextLong();
        while (id == 0) {
            id = RANDOM.nextLong();
        }
        return new LeaseId(id);
    }
}
