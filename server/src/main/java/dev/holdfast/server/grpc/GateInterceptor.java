package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.access.Permission;
import dev.holdfast.server.request.Rejected;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;

/** The gate of gRPC calls, on the event loop of each. */
public final class GateInterceptor implements ServerInterceptor {
    private final Gate gate;

    private GateInterceptor(Gate gate) {
        this.gate = gate;
    }

    /** Adds services behind a gate; each of their calls has its permission in {@link RpcPermissions}. */
    public static void addTo(ServerBuilder server, Gate gate, GrpcServiceBuilder services) {
        GrpcService built = services.intercept(new GateInterceptor(gate)).build();
        RpcPermissions.requireDeclared(built.services());
        server.service(built, Gate::guardCalls);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        ServiceRequestContext context = ServiceRequestContext.current();
        Permission permission = RpcPermissions.of(call.getMethodDescriptor().getFullMethodName());
        Caller caller;
        try {
            caller = gate.admit(context, permission);
        } catch (Rejected refused) {
            StatusRuntimeException failure = GrpcErrors.exception(refused.rejection());
            Metadata trailers = failure.getTrailers();
            call.close(failure.getStatus(), trailers == null ? new Metadata() : trailers);
            return new ServerCall.Listener<>() {};
        }
        boolean stream = call.getMethodDescriptor().getType() == MethodType.BIDI_STREAMING;
        return stream && caller.who().knownUntilMillis() != Long.MAX_VALUE
                ? ExpiringCall.start(call, headers, next, context, caller)
                : next.startCall(call, headers);
    }
}
