package dev.holdfast.server.grpc;

import dev.holdfast.server.access.Permission;
import dev.holdfast.server.operation.Operation;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What each gRPC call asks of its caller. A call that is not known here is not served.
 *
 * <p>Calls of clients and operators are operations of the same name, so {@code LeaseGrant} asks for what
 * {@link Operation#LEASE_GRANT} does; what nodes ask each other, and what is there for tools, is listed.
 */
public final class RpcPermissions {
    private static final Map<String, Permission> TABLE = new HashMap<>();

    static {
        declare("holdfast.v1.Peer", Permission.PEER, "Announce", "Join", "Ping", "Forward", "FetchSnapshot");
        declare("grpc.health.v1.Health", Permission.PUBLIC, "Check", "Watch");
        declare("grpc.reflection.v1.ServerReflection", Permission.PUBLIC, "ServerReflectionInfo");
        for (Operation operation : Operation.values()) {
            declare(
                    operation.isForOperators() ? "holdfast.v1.Admin" : "holdfast.v1.LockService",
                    operation.permission(),
                    rpcName(operation));
        }
    }

    private RpcPermissions() {}

    private static void declare(String service, Permission permission, String... calls) {
        for (String call : calls) {
            TABLE.put(MethodDescriptor.generateFullMethodName(service, call), permission);
        }
    }

    /** {@code LeaseGrant} for {@code LEASE_GRANT}. */
    private static String rpcName(Operation operation) {
        StringBuilder name = new StringBuilder();
        for (String word : operation.name().split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }

    /**
     * What a call asks for.
     *
     * @param method its full name, {@code service/Call}
     */
    public static Permission of(String method) {
        Permission declared = TABLE.get(method);
        if (declared == null) {
            throw new IllegalStateException(method + " declares no permission: name it in Operation or RpcPermissions");
        }
        return declared;
    }

    /** Fails if one of these services has a call without a permission. */
    static void requireDeclared(Collection<ServerServiceDefinition> services) {
        services.forEach(service -> service.getMethods()
                .forEach(method -> of(method.getMethodDescriptor().getFullMethodName())));
    }
}
