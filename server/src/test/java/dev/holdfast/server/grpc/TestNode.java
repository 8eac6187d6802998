package dev.holdfast.server.grpc;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.Replica;
import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceFutureStub;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceStub;
import dev.holdfast.server.InstantLog;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.access.Origins;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.node.NodePorts;
import dev.holdfast.server.node.Peers;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.Derivation;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.propose.BatchSettings;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.rest.ErrorPages;
import dev.holdfast.server.rest.RestEdge;
import dev.holdfast.server.settings.ElectionSettings;
import dev.holdfast.server.settings.HostPort;
import dev.holdfast.server.websocket.SocketEdge;
import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node over a log in memory, with its edges on a port of its own, and stubs that speak to it over the wire. Its log
 * knows a second node, which nobody can reach.
 */
public final class TestNode implements AutoCloseable {
    static final long CLUSTER = 0xC1;
    static final long MEMBER = 0xA1;
    static final int WATCH_CAPACITY = 64;
    static final Member OTHER =
            new Member(new NodeId("n2", new UUID(0xA2, 0)), "127.0.0.1:2", "n2:4000", Member.Part.VOTER);

    private static final Member SELF =
            new Member(new NodeId("n1", new UUID(MEMBER, 0)), "127.0.0.1:1", "n1:4000", Member.Part.VOTER);
    private static final ManagedChannel NOBODY =
            InProcessChannelBuilder.forName("nobody").build();

    private static final long UNREAD = 256L * 1024 * 1024;

    public final InstantLog log;
    public final RestEdge rest;
    final NodeCore core;
    final GrpcEdge edge;
    final LockServiceBlockingStub locks;
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final Server server;

    public TestNode() {
        this(BatchSettings.DEFAULT);
    }

    public TestNode(BatchSettings settings) {
        this(settings, UNREAD);
    }

    TestNode(BatchSettings settings, long unread) {
        NodePorts ports = NodePorts.inProduction(
                SELF,
                new UUID(0, CLUSTER),
                replica -> new InstantLog(List.of(SELF, OTHER), replica),
                Peers.over(address -> NOBODY),
                (message, cause) -> failure.compareAndSet(null, message + ": " + cause),
                ElectionSettings.FAST);
        try {
            core = new NodeCore(ports.with(settings, ports.watches().withEvents(WATCH_CAPACITY)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        log = (InstantLog) core.log();
        Watches.Timing timing =
                new Watches.Timing(Duration.ofMillis(100), Duration.ofMillis(10), Duration.ofMillis(200));
        edge = new GrpcEdge(core, CallScopes.ON_PORT, List.of(), unread, timing);
        ServerBuilder builder = Server.builder()
                .http(0)
                .connectionDrainDurationMicros(0)
                .requestTimeoutMillis(0)
                .errorHandler(new ErrorPages());
        Gate gate = Gate.open(Origins.of(
                new HostPort("0.0.0.0", 1), new HostPort("n1", 4000), false, Set.of("https://friend.example"), true));
        edge.addTo(builder, gate);
        Derivation derivation = new Derivation("test");
        rest = new RestEdge(core, derivation, timing);
        rest.addTo(builder, gate);
        new SocketEdge(core, derivation).addTo(builder, gate);
        server = builder.build();
        server.start().join();
        try {
            core.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        locks = client(LockServiceBlockingStub.class);
        set(Limit.TTL_MIN_MILLIS, 1);
    }

    <T> T client(Class<T> stub) {
        return client(stub, ClientFactory.ofDefault());
    }

    <T> T client(Class<T> stub, ClientFactory factory) {
        return GrpcClients.builder("gproto+http://127.0.0.1:" + server.activeLocalPort())
                .factory(factory)
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .build(stub);
    }

    LockServiceStub streams() {
        return client(LockServiceStub.class);
    }

    LockServiceFutureStub futures() {
        return client(LockServiceFutureStub.class);
    }

    /** Changes a limit, as an operator would. */
    public void set(Limit limit, long value) {
        Result result = submit(new Command.SetLimit(limit, value));
        if (!(result instanceof Result.Changed)) {
            throw new IllegalStateException("limit not changed: " + result);
        }
    }

    public Result submit(Command command) {
        return core.requests().submit(Flow.OF_NODE, command).join().result();
    }

    /** A lease that outlives the test. */
    long lease() {
        return lease(60_000);
    }

    long lease(long ttlMillis) {
        return locks.leaseGrant(
                        LeaseGrantRequest.newBuilder().setTtlMs(ttlMillis).build())
                .getId();
    }

    /** Takes a lock that is free. */
    LockResponse hold(long lease, String key, long seq) {
        LockResponse held = locks.lock(request(lease, key, seq).build());
        if (!held.getAcquired()) {
            throw new IllegalStateException("not free: " + held);
        }
        return held;
    }

    static LockRequest.Builder request(long lease, String key, long seq) {
        return LockRequest.newBuilder().setName(key).setLeaseId(lease).setSeq(seq);
    }

    public long revision() {
        return core.replica().ask(MachineView::revision);
    }

    /** How many wait for a lock. */
    public int waiters(String key) {
        return core.replica()
                .ask(view -> view.lock(dev.holdfast.core.LockKey.of(key))
                        .map(lock -> lock.waiterCount())
                        .orElse(0));
    }

    /** Who holds a lock; empty if nobody does. */
    public String holder(String key) {
        return core.replica()
                .ask(view -> view.lock(dev.holdfast.core.LockKey.of(key))
                        .flatMap(lock -> lock.holders().stream().findFirst())
                        .map(holder -> holder.clientId())
                        .orElse(""));
    }

    /** Takes a lock away, as an operator would. */
    public void force(String key, long token) {
        submit(new Command.ForceRelease(dev.holdfast.core.LockKey.of(key), token, "operator", "test"));
    }

    public Bounds bounds() {
        return new Bounds(core.replica());
    }

    public Caller caller() {
        return Caller.OF_THIS_PROCESS;
    }

    public int locks() {
        return core.replica().ask(MachineView::lockCount);
    }

    public int leases() {
        return core.replica().ask(MachineView::leaseCount);
    }

    public int endedLeases() {
        return core.replica().ask(MachineView::endedLeaseCount);
    }

    /** Begins a new epoch, as a node does that starts from a restored backup. */
    public void restore() throws IOException {
        LockMachine machine;
        try (Replica.Cut cut = core.replica().cut()) {
            machine = LockReplica.read(new ByteArrayInputStream(bytes(cut::next)));
        }
        machine.beginEpoch(0, 0);
        byte[] restored = bytes(machine.startSnapshot()::next);
        core.replica()
                .load(core.replica().appliedTerm(), core.replica().appliedIndex(), new ByteArrayInputStream(restored));
    }

    private static byte[] bytes(Supplier<byte @Nullable []> frames) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] frame = frames.get(); frame != null; frame = frames.get()) {
            out.writeBytes(frame);
        }
        return out.toByteArray();
    }

    public int port() {
        return server.activeLocalPort();
    }

    @Override
    public void close() {
        // Not waited for: the server's own threads linger for seconds.
        CompletableFuture<Void> stopping = server.stop();
        core.close();
        String failed = failure.get();
        if (failed != null || stopping.isCompletedExceptionally()) {
            throw new AssertionError("the node failed: " + failed);
        }
    }
}
