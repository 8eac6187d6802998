package dev.holdfast.server.access;

import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What each call asks of its caller: the one table. A call that is not in it is not served.
 *
 * <p>Giving back (release, cancel, revoke, renew) asks for no more than being who took it, and is never limited.
 */
public final class RpcPermissions {
    private static final Map<String, Permission> TABLE = new HashMap<>();

    static {
        String locks = "holdfast.v1.LockService";
        declare(locks, Permission.LOCK, "Lock", "TryLock", "Upgrade", "Describe", "Plan");
        declare(locks, Permission.LOCK, "LeaseGrant", "LeaseExtend", "LeaseTimeToLive", "LeaseList", "Explain");
        declare(locks, Permission.OWN, "Unlock", "Downgrade", "Cancel", "LeaseRevoke", "LeaseKeepAlive");
        declare(locks, Permission.READ, "Get", "List", "History", "Watch");
        // Its messages are judged each.
        declare(locks, Permission.OWN, "Session");

        String admin = "holdfast.v1.Admin";
        declare(admin, Permission.OBSERVE, "MemberList", "Status", "StateHash", "LimitList");
        declare(admin, Permission.ADMIN, "MemberAdd", "MemberRemove", "MemberReplace", "TransferLeadership");
        declare(admin, Permission.ADMIN, "SnapshotSave", "Compact", "LimitSet", "FeatureLevelRaise");
        declare(admin, Permission.FORCE, "ForceRelease");

        declare("holdfast.v1.Peer", Permission.PEER, "Announce", "Join", "Ping", "Forward", "FetchSnapshot");

        declare("grpc.health.v1.Health", Permission.PUBLIC, "Check", "Watch");
        declare("grpc.reflection.v1.ServerReflection", Permission.PUBLIC, "ServerReflectionInfo");
    }

    private RpcPermissions() {}

    private static void declare(String service, Permission permission, String... calls) {
        for (String call : calls) {
            TABLE.put(MethodDescriptor.generateFullMethodName(service, call), permission);
        }
    }

    /**
     * What a call asks for.
     *
     * @param method its full name, {@code service/Call}
     */
    public static Permission of(String method) {
        Permission declared = TABLE.get(method);
        if (declared == null) {
            throw new IllegalStateException(method + " declares no permission: name it in RpcPermissions");
        }
        return declared;
    }

    /** Fails if one of these services has a call without a permission. */
    static void requireDeclared(Collection<ServerServiceDefinition> services) {
        services.forEach(service -> service.getMethods()
                .forEach(method -> of(method.getMethodDescriptor().getFullMethodName())));
    }
}
