package dev.holdfast.client.network;

import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import dev.holdfast.protocol.v1.ServerFrame;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The cluster over gRPC: one channel per node, made when it is first needed.
 *
 * <p>Calls back on the threads that read from the network.
 */
public final class GrpcNetwork implements Network {
    private final Function<String, ManagedChannel> dial;
    private final CallOptions options;
    private final @Nullable NetworkThread thread;
    private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

    /**
     * A network over channels.
     *
     * @param dial makes the channel to an endpoint
     * @param options for every call, credentials among them
     */
    public GrpcNetwork(Function<String, ManagedChannel> dial, CallOptions options) {
        this(dial, options, null);
    }

    /** A network whose channels are all read and written by one thread, which ends with it. */
    public GrpcNetwork(NetworkThread thread, Function<String, NettyChannelBuilder> settings, CallOptions options) {
        this(endpoint -> thread.channel(settings.apply(endpoint)), options, thread);
    }

    private GrpcNetwork(Function<String, ManagedChannel> dial, CallOptions options, @Nullable NetworkThread thread) {
        this.dial = dial;
        this.options = options;
        this.thread = thread;
    }

    @Override
    public void beforeWriting(Runnable task) {
        if (thread == null) {
            task.run();
        } else {
            thread.execute(task);
        }
    }

    private ManagedChannel channel(String endpoint) {
        return channels.computeIfAbsent(endpoint, dial);
    }

    @Override
    public Line open(String endpoint, Receiver receiver) {
        ManagedChannel channel = channel(endpoint);
        // A channel that failed waits before it tries again; whether to wait is decided by the session.
        channel.resetConnectBackoff();
        ClientCall<ClientFrame, ServerFrame> call = channel.newCall(LockServiceGrpc.getSessionMethod(), options);
        GrpcLine line = new GrpcLine(call, receiver);
        call.start(line, new Metadata());
        call.request(1);
        return line;
    }

    @Override
    public <Q, A> CompletableFuture<A> call(
            String endpoint, MethodDescriptor<Q, A> method, Q question, Duration timeout) {
        ManagedChannel channel = channel(endpoint);
        channel.resetConnectBackoff();
        ClientCall<Q, A> call =
                channel.newCall(method, options.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS));
        CompletableFuture<A> answer = new CompletableFuture<>();
        call.start(new OneAnswer<>(answer), new Metadata());
        call.request(2); // one would leave a second answer, which is an error, unseen
        call.sendMessage(question);
        call.halfClose();
        return answer;
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
        if (thread != null) {
            thread.close();
        }
    }

    private static final class GrpcLine extends ClientCall.Listener<ServerFrame> implements Line {
        private final ClientCall<ClientFrame, ServerFrame> call;
        private final Receiver receiver;
        private volatile boolean closed;

        GrpcLine(ClientCall<ClientFrame, ServerFrame> call, Receiver receiver) {
            this.call = call;
            this.receiver = receiver;
        }

        @Override
        public void send(ClientFrame frame) {
            call.sendMessage(frame);
        }

        @Override
        public void close() {
            closed = true;
            call.cancel("the session goes elsewhere", null);
        }

        @Override
        public void onMessage(ServerFrame frame) {
            if (!closed) {
                receiver.received(frame);
            }
            call.request(1);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (!closed) {
                receiver.ended(status.asRuntimeException(trailers));
            }
        }
    }

    private static final class OneAnswer<A> extends ClientCall.Listener<A> {
        private final CompletableFuture<A> answer;
        private @Nullable A message;

        OneAnswer(CompletableFuture<A> answer) {
            this.answer = answer;
        }

        @Override
        public void onMessage(A received) {
            message = received;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            A received = message;
            if (status.isOk() && received != null) {
                answer.complete(received);
            } else {
                answer.completeExceptionally(status.asRuntimeException(trailers));
            }
        }
    }
}
