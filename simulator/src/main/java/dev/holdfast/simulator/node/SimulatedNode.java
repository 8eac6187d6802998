package dev.holdfast.simulator.node;

import dev.holdfast.protocol.v1.AnnounceRequest;
import dev.holdfast.protocol.v1.AnnounceResponse;
import dev.holdfast.server.grpc.CallScopes;
import dev.holdfast.server.grpc.GrpcEdge;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.node.NodePorts;
import dev.holdfast.server.node.Peers;
import dev.holdfast.server.peer.PeerEdge;
import dev.holdfast.server.propose.BatchSettings;
import dev.holdfast.server.propose.Batcher;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.ReplicaListener;
import dev.holdfast.server.watch.WatchBounds;
import dev.holdfast.simulator.log.Disk;
import dev.holdfast.simulator.log.DiskFailure;
import dev.holdfast.simulator.log.LogFaults;
import dev.holdfast.simulator.log.LogPeers;
import dev.holdfast.simulator.log.SimulatedLog;
import dev.holdfast.simulator.network.Host;
import dev.holdfast.simulator.world.Loop;
import dev.holdfast.simulator.world.SimulatedProcess;
import io.grpc.Channel;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One run of a node, from start to kill: what ships, over ports in virtual time. Its log, clock, threads and network are
 * simulated, and nothing else.
 */
public final class SimulatedNode {
    /** Little, so that readers fall behind. */
    private static final WatchBounds WATCHES = WatchBounds.forProcessors(2).withEvents(64);

    private static final Duration STALL = Duration.ofSeconds(4);

    private static final long MOST_UNREAD = 64L * 1024 * 1024;

    private final SimulatedProcess process;
    private final NodeCore core;
    private final Host host;
    private final List<ServerServiceDefinition> services;

    /**
     * A node that has not started.
     *
     * @param others the nodes of its cluster, as its log reaches them
     * @param cluster a number of the cluster
     * @param number one that no other run of a node proposes under
     * @param observer told of every applied entry, after all others
     * @param dial the way from a host to the node at an address
     */
    SimulatedNode(
            SimulatedProcess process,
            Disk disk,
            LogPeers others,
            LogFaults faults,
            long cluster,
            long number,
            ReplicaListener observer,
            BiFunction<Host, String, Channel> dial) {
        this.process = process;
        Loop calls = new Loop(process);
        this.host = new Host(process, calls, this::method);
        this.core = core(new NodePorts(
                SimulatedLog.member(process.name()),
                new UUID(0, cluster),
                replica -> new SimulatedLog(process, disk, others, replica, faults),
                new Batcher.Ticks(process::nanos, process::wallMillis),
                name -> new Loop(process),
                new ProposingLoop(process),
                number,
                ~number,
                Peers.over(address -> dial.apply(host, address)),
                role -> process.world().note(process.name(), () -> "is " + role),
                this::failed,
                BatchSettings.DEFAULT,
                WATCHES,
                STALL));
        core.replica().listen(observer);
        GrpcEdge edge = new GrpcEdge(core, CallScopes.inProcess(calls, calls), List.of(), MOST_UNREAD);
        PeerEdge peers = new PeerEdge(core, SimulatedNode::announced, Optional::empty);
        this.services = List.of(edge.locks().bindService(), peers.bindService());
    }

    private static NodeCore core(NodePorts ports) {
        try {
            return new NodeCore(ports);
        } catch (IOException e) {
            throw new IllegalStateException("a simulated log does not fail", e);
        }
    }

    private static AnnounceResponse announced(AnnounceRequest request) {
        throw new IllegalStateException("the members of a simulated cluster know each other");
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

    void start() {
        try {
            core.start();
        } catch (IOException e) {
            throw new IllegalStateException("a node could not start", e);
        }
    }

    private void failed(String message, @Nullable Throwable cause) {
        if (cause instanceof DiskFailure) {
            process.world().note(process.name(), () -> "stops: " + message);
            kill();
            return;
        }
        throw new IllegalStateException(process.name() + " failed: " + message, cause);
    }

    public SimulatedProcess process() {
        return process;
    }

    public SimulatedLog log() {
        return (SimulatedLog) core.log();
    }

    public LockReplica replica() {
        return core.replica();
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
