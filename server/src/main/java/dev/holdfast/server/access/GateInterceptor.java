package dev.holdfast.server.access;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.protocol.Errors;
import dev.holdfast.server.request.Rejected;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;

/** The gate of gRPC calls, on the event loop of each. */
final class GateInterceptor implements ServerInterceptor {
    private final Gate gate;

    GateInterceptor(Gate gate) {
        this.gate = gate;
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
            StatusRuntimeException failure = Errors.toException(refused.error());
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
