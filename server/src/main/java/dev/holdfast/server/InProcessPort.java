package dev.holdfast.server;

import com.google.protobuf.MessageLite;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.server.grpc.CallScopes;
import dev.holdfast.server.grpc.GrpcEdge;
import dev.holdfast.server.grpc.GrpcErrors;
import dev.holdfast.server.grpc.GuardedCall;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.settings.LimitSettings;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessServerBuilder;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@link ServicePort} is to other processes, for the node's own: the same services under a name instead of an
 * address.
 *
 * <p>All calls share one event loop, which is the server's executor as well: so handlers are confined to it, as on a
 * port they are to that of their connection.
 */
final class InProcessPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InProcessPort.class);
    private static final Duration STOP = Duration.ofSeconds(5);

    private static final Error STOPPING = Errors.of(Code.UNAVAILABLE, "node", "this node is stopping").toBuilder()
            .setUnknownOutcome(true)
            .build();

    private final String name = InProcessServerBuilder.generateName();
    private final EventLoop loop = new DefaultEventLoop((ThreadFactory) task -> new Thread(task, "holdfast-embedded"));
    private final ExecutorService blocking =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "holdfast-embedded-backup"));

    // On the event loop: calls that are open, and what ends every further one.
    private final Set<GuardedCall<?, ?>> open = new HashSet<>();
    private @Nullable StatusRuntimeException failure;
    private @Nullable Server server;

    /** What to connect to. */
    String name() {
        return name;
    }

    void serve(NodeCore node) throws IOException {
        GrpcEdge grpc =
                new GrpcEdge(node, CallScopes.inProcess(loop, blocking), List.of(), LimitSettings.defaultUnreadBytes());
        InProcessServerBuilder builder =
                InProcessServerBuilder.forName(name).executor(loop).scheduledExecutorService(loop);
        grpc.addTo(builder, this::bounded);
        server = builder.build().start();
    }

    /** No transport has measured a message that is handed over as an object: refuses those above a number of bytes. */
    private ServerInterceptor bounded(int maxBytes) {
        return new ServerInterceptor() {
            @Override
            public <Q, R> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                GuardedCall<Q, R> guarded = new GuardedCall<>(call);
                if (failure != null) {
                    guarded.shut(failure);
                    return new ServerCall.Listener<>() {};
                }
                ServerCall.Listener<Q> handler = next.startCall(guarded, headers);
                if (!guarded.isClosed()) {
                    open.add(guarded);
                }
                return guarded.listener(
                        handler, message -> fits(message, maxBytes, guarded), () -> open.remove(guarded));
            }
        };
    }

    private static boolean fits(Object message, int maxBytes, GuardedCall<?, ?> call) {
        int bytes = message instanceof MessageLite lite ? lite.getSerializedSize() : 0;
        if (bytes > maxBytes) {
            call.shut(Errors.toException(GrpcErrors.tooLarge(maxBytes, bytes)));
        }
        return bytes <= maxBytes;
    }

    /** Ends every call with this error, those to come as well: no connection breaks when the node has failed. */
    void fail(Error error) {
        loop.execute(() -> {
            StatusRuntimeException failed = Errors.toException(error);
            failure = failed;
            Set.copyOf(open).forEach(call -> call.shut(failed));
            open.clear();
        });
    }

    /** Takes no new calls; those that are open go on. */
    void drain() {
        Server running = server;
        if (running != null) {
            running.shutdown();
        }
    }

    /** Ends what is still open, once what was answered is written. Not to be called on its event loop. */
    @Override
    public void close() {
        // An answer takes one turn to be handled; on a session, it is written in the next.
        finishTurn();
        finishTurn();
        // By us: a server that shuts down tells its handlers that the client left, and they might answer so.
        fail(STOPPING);
        finishTurn();
        Server running = server;
        if (running != null) {
            running.shutdownNow();
            stopped("the server", () -> running.awaitTermination(STOP.toMillis(), TimeUnit.MILLISECONDS));
        }
        blocking.shutdownNow();
        stopped("the backup thread", () -> blocking.awaitTermination(STOP.toMillis(), TimeUnit.MILLISECONDS));
        stopped(
                "the event loop",
                () -> loop.shutdownGracefully(0, STOP.toMillis(), TimeUnit.MILLISECONDS)
                        .await(2 * STOP.toMillis()));
    }

    private void finishTurn() {
        stopped("the event loop's turn", () -> loop.submit(() -> {}).await(STOP.toMillis()));
    }

    /** Something that ends within a time, or not. */
    private interface Ending {
        boolean await() throws InterruptedException;
    }

    private void stopped(String what, Ending ending) {
        try {
            if (!ending.await()) {
                LOG.warn("{} of {} did not end within {}", what, name, STOP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
