package dev.holdfast.simulator.node;

import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.consensus.Role;
import dev.holdfast.protocol.v1.ForwardFrame;
import dev.holdfast.protocol.v1.ForwardReplyFrame;
import dev.holdfast.protocol.v1.PeerGrpc;
import dev.holdfast.server.operation.NodeFacts;
import dev.holdfast.server.operation.NodeParts;
import dev.holdfast.server.forward.ForwardReceiver;
import dev.holdfast.server.forward.Router;
import dev.holdfast.server.grpc.CallScopes;
import dev.holdfast.server.grpc.GrpcEdge;
import dev.holdfast.server.propose.BatchMetrics;
import dev.holdfast.server.propose.BatchSettings;
import dev.holdfast.server.propose.Batcher;
import dev.holdfast.server.read.Reads;
import dev.holdfast.server.replica.LeaseListeners;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.Progress;
import dev.holdfast.server.replica.ReplicaListener;
import dev.holdfast.server.request.Reach;
import dev.holdfast.server.watch.WatchHub;
import dev.holdfast.simulator.log.Disk;
import dev.holdfast.simulator.log.LogFaults;
import dev.holdfast.simulator.log.Peers;
import dev.holdfast.simulator.log.SimulatedLog;
import dev.holdfast.simulator.network.Host;
import dev.holdfast.simulator.world.Loop;
import dev.holdfast.simulator.world.SimulatedProcess;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run of a node, from start to kill: the real batcher, clock, replica, watches, reads, forwarding and sessions, over
 * a simulated log.
 *
 * <p>What {@code NodeRuntime} and {@code NodeEdge} do with threads and ports is done here with loops: three of them,
 * for calls, for streams between nodes, and for proposing.
 */
public final class SimulatedNode implements Reach {
    private static final int EVENTS_PER_WATCH = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final SimulatedProcess process;
    private final List<String> members;
    private final LockReplica replica;
    private final SimulatedLog log;
    private final Batcher batcher;
    private final GrpcEdge edge;
    private final Router router;
    private final Loop calls;
    private final Loop streams;
    private final Host host;
    private final List<ServerServiceDefinition> services;
    private Role role = new Role.Following(0, Optional.empty());
    private boolean stepping;
    private boolean again;
    private boolean woken;
    private long nextStep;

    /**
     * A node that has not started.
     *
     * @param members names of all nodes, which are their addresses as well
     * @param number one that no other run of a node proposes under
     * @param observer told of every applied entry, after all others
     * @param dial the way to another node, from this one's host
     */
    public SimulatedNode(
            SimulatedProcess process,
            Disk disk,
            List<String> members,
            Peers peers,
            LogFaults faults,
            long cluster,
            long number,
            ReplicaListener observer,
            Function<Host, Function<String, PeerGrpc.PeerStub>> dial) {
        this.process = process;
        this.members = members;
        this.calls = new Loop(process);
        this.streams = new Loop(process);
        this.replica = new LockReplica(this::roleChanged, this::failed);
        this.log = new SimulatedLog(process, disk, peers, replica, faults);
        this.batcher = new Batcher(
                log,
                replica,
                this,
                BatchSettings.DEFAULT,
                number,
                new Batcher.Ticks(process::nanos, process::wallMillis),
                this::wake,
                BatchMetrics.NONE);
        this.host = new Host(process, calls, this::method);
        this.router = new Router(
                batcher, this, Long.toString(cluster), dial.apply(host), streams, process::nanos, PATIENCE.toMillis());
        LeaseListeners leases = new LeaseListeners();
        WatchHub watches = new WatchHub(replica, EVENTS_PER_WATCH);
        Progress progress = new Progress();
        replica.listen(batcher);
        replica.listen(leases);
        replica.listen(watches);
        replica.listen(progress);
        replica.listen(observer);
        Reads reads = new Reads(router, replica, progress, streams, PATIENCE);
        NodeFacts facts = new NodeFacts(
                cluster,
                SimulatedLog.id(process.name()).number(),
                this,
                () -> role instanceof Role.Leading,
                () -> members);
        this.edge = new GrpcEdge(
                new NodeParts(router, reads, replica, leases, watches, facts),
                CallScopes.inProcess(calls, calls),
                List.of(),
                new SettableHealthChecker(true));
        this.services = List.of(edge.locks().bindService(), new Forwarding(cluster).bindService());
    }

    private @Nullable ServerMethodDefinition<?, ?> method(String name) {
        for (ServerServiceDefinition service : services) {
            ServerMethodDefinition<?, ?> method = service.getMethod(name);
            if (method != null) {
                return method;
            }
        }
        return null;
    }

    /** The part of {@code PeerEdge} that carries requests. */
    private final class Forwarding extends PeerGrpc.PeerImplBase {
        private final String cluster;

        Forwarding(long cluster) {
            this.cluster = Long.toString(cluster);
        }

        @Override
        public StreamObserver<ForwardFrame> forward(StreamObserver<ForwardReplyFrame> replies) {
            return new ForwardReceiver(batcher, cluster, replies, streams);
        }
    }

    public void start() {
        try {
            log.start();
        } catch (IOException e) {
            throw new IllegalStateException("a node could not start", e);
        }
        wake();
    }

    // The proposing thread ---------------------------------------------------------------------------

    private void wake() {
        if (!woken) {
            woken = true;
            process.arrive(1_000, this::step);
        }
    }

    private void step() {
        woken = false;
        if (stepping) {
            again = true; // it stalls
            return;
        }
        stepping = true;
        long pause;
        try {
            pause = batcher.step();
        } finally {
            stepping = false;
        }
        if (again) {
            again = false;
            wake();
        }
        long due = process.nanos() + pause;
        nextStep = due;
        var unused = process.schedule(pause, () -> {
            if (nextStep == due) {
                step();
            }
        });
    }

    // Roles ------------------------------------------------------------------------------------------

    private void roleChanged(Role changed) {
        role = changed;
        batcher.roleChanged(changed);
        router.roleChanged(changed);
        if (changed instanceof Role.Following) {
            streams.execute(
                    () -> leaderAddress().ifPresent(leader -> edge.sessions().move(leader, "another node leads")));
        }
    }

    private void failed(String message, @Nullable Throwable cause) {
        throw new IllegalStateException(process.name() + " failed: " + message, cause);
    }

    @Override
    public Optional<String> leaderAddress() {
        return role instanceof Role.Following following
                ? following.leader().map(id -> id.name()).filter(name -> !name.equals(process.name()))
                : Optional.empty();
    }

    @Override
    public String describe() {
        return "some of " + members.size() + " voting nodes reachable";
    }

    // What a run does with it ------------------------------------------------------------------------

    public SimulatedProcess process() {
        return process;
    }

    public SimulatedLog log() {
        return log;
    }

    public LockReplica replica() {
        return replica;
    }

    public Host host() {
        return host;
    }

    /** As SIGKILL does. */
    public void kill() {
        process.kill();
        host.hangUp();
    }
}
