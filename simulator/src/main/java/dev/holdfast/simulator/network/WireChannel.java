package dev.holdfast.simulator.network;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a gRPC client calls by: each call goes to whichever process has the address when it is made.
 *
 * <p>Deadlines of calls are ignored, because they are measured by the real clock; a caller that needs one sets a timer.
 */
public final class WireChannel extends ManagedChannel {
    private final Wire wire;
    private final Host from;
    private final String address;
    private final Supplier<Host> to;
    private boolean shut;

    public WireChannel(Wire wire, Host from, String address, Supplier<Host> to) {
        this.wire = wire;
        this.from = from;
        this.address = address;
        this.to = to;
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
        return new StreamCall<>(wire, from, to.get(), method).client();
    }

    @Override
    public String authority() {
        return address;
    }

    @Override
    public ManagedChannel shutdown() {
        shut = true;
        return this;
    }

    @Override
    public ManagedChannel shutdownNow() {
        return shutdown();
    }

    @Override
    public boolean isShutdown() {
        return shut;
    }

    @Override
    public boolean isTerminated() {
        return shut;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return shut;
    }
}
