package dev.holdfast.guard.grpc;

import dev.holdfast.guard.Access;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;

/** Shows an access with each call of a stub: {@code stub.withInterceptors(new FencingClientInterceptor(access))}. */
public final class FencingClientInterceptor implements ClientInterceptor {
    private final String access;

    public FencingClientInterceptor(Access access) {
        this.access = access.text();
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                headers.put(FencingMetadata.ACCESS, access);
                super.start(listener, headers);
            }
        };
    }
}
