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
import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;

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
        GuardedCall<Q, R> guarded = new GuardedCall<>(call);
        Caller caller;
        try {
            caller = gate.admit(context, permission);
        } catch (Rejected refused) {
            later(
                    gate.refused(context),
                    context.eventLoop(),
                    () -> guarded.shut(GrpcErrors.exception(refused.rejection())));
            return new ServerCall.Listener<>() {};
        }
        boolean stream = call.getMethodDescriptor().getType() == MethodType.BIDI_STREAMING;
        return stream && caller.who().knownUntilMillis() != Long.MAX_VALUE
                ? expiring(guarded, next.startCall(guarded, headers), caller, context)
                : next.startCall(call, headers);
    }

    /** Says no at once, or later to whoever has heard it too often. */
    static void later(long nanos, EventLoop loop, Runnable refusal) {
        if (nanos == 0) {
            refusal.run();
        } else {
            var unused = loop.schedule(refusal, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** A stream ends with the credentials it was opened by. */
    private static <Q> ServerCall.Listener<Q> expiring(
            GuardedCall<Q, ?> call, ServerCall.Listener<Q> handler, Caller caller, ServiceRequestContext context) {
        Runnable noLongerExpiring = caller.atExpiry(
                context.eventLoop().withoutContext(), rejection -> call.shut(GrpcErrors.exception(rejection)));
        return call.listener(handler, message -> true, noLongerExpiring);
    }
}
