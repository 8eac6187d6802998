package dev.holdfast.server.grpc;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.Role;
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
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.Derivation;
import dev.holdfast.server.operation.NodeFacts;
import dev.holdfast.server.operation.NodeParts;
import dev.holdfast.server.operation.WatchTiming;
import dev.holdfast.server.propose.BatchMetrics;
import dev.holdfast.server.propose.BatchSettings;
import dev.holdfast.server.propose.Batcher;
import dev.holdfast.server.propose.ProposingThread;
import dev.holdfast.server.read.Reads;
import dev.holdfast.server.replica.LeaseListeners;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.Progress;
import dev.holdfast.server.request.Reach;
import dev.holdfast.server.rest.ErrorPages;
import dev.holdfast.server.rest.RestEdge;
import dev.holdfast.server.watch.WatchHub;
import dev.holdfast.server.websocket.SocketEdge;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node of one, with its edge on a port of its own, and stubs that speak to it over the wire. */
public final class TestNode implements AutoCloseable, Reach {
    static final long CLUSTER = 0xC1;
    static final long MEMBER = 0xA1;
    static final int WATCH_CAPACITY = 64;

    public final InstantLog log;
    final LockReplica replica;
    final LeaseListeners listeners = new LeaseListeners();
    public final RestEdge rest;
    final GrpcEdge edge;
    final SettableHealthChecker health = new SettableHealthChecker(true);
    final WatchHub hub;
    final LockServiceBlockingStub locks;
    volatile Optional<String> leader = Optional.empty();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private final Batcher batcher;
    private final ProposingThread proposing;
    private final Server server;

    public TestNode() {
        this(BatchSettings.DEFAULT);
    }

    TestNode(BatchSettings settings) {
        proposing = new ProposingThread(this::failed);
        replica = new LockReplica(this::roleChanged, this::failed);
        log = new InstantLog(replica);
        batcher =
                new Batcher(log, replica, this, settings, 7, Batcher.Ticks.SYSTEM, proposing::wake, BatchMetrics.NONE);
        hub = new WatchHub(replica, WATCH_CAPACITY);
        Progress progress = new Progress();
        replica.listen(batcher);
        replica.listen(listeners);
        replica.listen(hub);
        replica.listen(progress);
        Reads reads = new Reads(batcher, replica, progress, timers, Duration.ofSeconds(2));
        NodeFacts facts = new NodeFacts(
                CLUSTER,
                MEMBER,
                this,
                () -> log.status().role() instanceof Role.Leading,
                () -> List.of("127.0.0.1:1", "127.0.0.1:2"));
        NodeParts parts = new NodeParts(batcher, reads, replica, listeners, hub, facts);
        WatchTiming timing = new WatchTiming(Duration.ofMillis(100), Duration.ofMillis(10), Duration.ofMillis(200));
        edge = new GrpcEdge(parts, CallScopes.ON_PORT, List.of(), health, timing);
        ServerBuilder builder = Server.builder()
                .http(0)
                .connectionDrainDurationMicros(0)
                .requestTimeoutMillis(0)
                .errorHandler(new ErrorPages());
        edge.addTo(builder, Gate.OPEN);
        Derivation derivation = new Derivation("test");
        rest = new RestEdge(parts, derivation, timing);
        rest.addTo(builder, Gate.OPEN);
        new SocketEdge(parts, derivation).addTo(builder, Gate.OPEN, Set.of("https://friend.example"));
        server = builder.build();
        server.start().join();
        proposing.start(batcher);
        log.start();
        locks = client(LockServiceBlockingStub.class);
        set(Limit.TTL_MIN_MILLIS, 1);
    }

    private void roleChanged(Role role) {
        batcher.roleChanged(role);
    }

    private void failed(String message, @Nullable Throwable cause) {
        failure.compareAndSet(null, message + ": " + cause);
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
        Result result =
                batcher.submit(new Command.SetLimit(limit, value)).join().result();
        if (!(result instanceof Result.Changed)) {
            throw new IllegalStateException("limit not changed: " + result);
        }
    }

    public Result submit(Command command) {
        return batcher.submit(command).join().result();
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
        return replica.ask(MachineView::revision);
    }

    /** How many wait for a lock. */
    public int waiters(String key) {
        return replica.ask(view -> view.lock(dev.holdfast.core.LockKey.of(key))
                .map(lock -> lock.waiterCount())
                .orElse(0));
    }

    /** Who holds a lock; empty if nobody does. */
    public String holder(String key) {
        return replica.ask(view -> view.lock(dev.holdfast.core.LockKey.of(key))
                .flatMap(lock -> lock.holders().stream().findFirst())
                .map(holder -> holder.clientId())
                .orElse(""));
    }

    /** Takes a lock away, as an operator would. */
    public void force(String key, long token) {
        submit(new Command.ForceRelease(dev.holdfast.core.LockKey.of(key), token, "operator", "test"));
    }

    public Bounds bounds() {
        return new Bounds(replica);
    }

    public Caller caller() {
        return Caller.OF_THIS_PROCESS;
    }

    public int locks() {
        return replica.ask(MachineView::lockCount);
    }

    public int leases() {
        return replica.ask(MachineView::leaseCount);
    }

    /** Begins a new epoch, as a node does that starts from a restored backup. */
    void restore() throws IOException {
        LockMachine machine;
        try (Replica.Cut cut = replica.cut()) {
            machine = LockReplica.read(new ByteArrayInputStream(bytes(cut::next)));
        }
        machine.beginEpoch(0, false);
        byte[] restored = bytes(machine.startSnapshot()::next);
        replica.load(replica.appliedTerm(), replica.appliedIndex(), new ByteArrayInputStream(restored));
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
    public Optional<String> leaderAddress() {
        return leader;
    }

    @Override
    public String describe() {
        return "1 of 1 nodes reachable";
    }

    @Override
    public void close() {
        // Not waited for: the server's own threads linger for seconds.
        CompletableFuture<Void> stopping = server.stop();
        batcher.close();
        proposing.close();
        log.close();
        timers.shutdownNow();
        String failed = failure.get();
        if (failed != null || stopping.isCompletedExceptionally()) {
            throw new AssertionError("the node failed: " + failed);
        }
    }
}
