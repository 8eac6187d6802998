package dev.holdfast.server.node;

import com.linecorp.armeria.server.healthcheck.ListenableHealthChecker;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.Role;
import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.server.cluster.MemberChanges;
import dev.holdfast.server.cluster.Neighbours;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.forward.Router;
import dev.holdfast.server.metrics.NodeMetrics;
import dev.holdfast.server.propose.Batcher;
import dev.holdfast.server.propose.Proposing;
import dev.holdfast.server.read.Reads;
import dev.holdfast.server.replica.LeaseListeners;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.Progress;
import dev.holdfast.server.replica.ReplicaListener;
import dev.holdfast.server.replica.StateHashes;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.watch.WatchHub;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node: its machine, what feeds it, who follows it, and the ways to the leader. Edges translate to it.
 *
 * <p>Every node is made here, whatever it stands on: {@link NodePorts}.
 */
public final class NodeCore implements AutoCloseable {
    /** The newest feature level this version can apply. */
    public static final int FEATURE_LEVEL = 1;

    private static final Logger LOG = LoggerFactory.getLogger(NodeCore.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration TRANSFER = Duration.ofSeconds(3);
    private static final Duration DRAIN = Duration.ofSeconds(5);
    private static final long DRAIN_LOOK_NANOS = 5_000_000;
    /** How often in the time of a stall it is looked whether there is one. */
    private static final int LOOKS_PER_STALL = 8;

    private final Member self;
    private final UUID cluster;
    private final Peers peers;
    private final Consumer<Role> roles;
    private final BiConsumer<String, @Nullable Throwable> failure;
    private final Proposing proposing;
    private final ScheduledExecutorService streams;
    private final LockReplica replica;
    private final ReplicatedLog log;
    private final Neighbours neighbours;
    private final Batcher batcher;
    private final Router router;
    private final Reads reads;
    private final LeaseListeners leases = new LeaseListeners();
    private final WatchHub watches;
    private final StateHashes hashes;
    private final NodeMetrics metrics;
    private final MemberChanges changes;
    private final Sessions sessions = new Sessions();
    private final SettableHealthChecker ready = new SettableHealthChecker(false);
    private final Liveness liveness;
    private final Duration lookPause;
    private volatile boolean joined;
    private volatile boolean draining;

    /** A node that has not started. It takes over the threads of its ports: {@link #close} ends them. */
    public NodeCore(NodePorts ports) throws IOException {
        this.self = ports.self();
        this.cluster = ports.cluster();
        this.peers = ports.peers();
        this.roles = ports.roles();
        this.failure = ports.failure();
        this.proposing = ports.proposing();
        this.replica = new LockReplica(this::roleChanged, failure, new KeyedHash(ports.secret()));
        this.log = ports.log().make(replica);
        this.streams = ports.threads().apply("holdfast-streams");
        this.neighbours = new Neighbours(
                self.id(),
                cluster(),
                this::members,
                peers.questions(),
                ports.threads().apply("holdfast-neighbours"),
                ports.clock().nanos(),
                this::removed);
        this.metrics = new NodeMetrics(replica, ports.clock().wallMillis());
        this.batcher = new Batcher(
                log, replica, neighbours, ports.batches(), ports.proposer(), ports.clock(), proposing::wake, metrics);
        this.router = new Router(
                batcher,
                neighbours,
                cluster(),
                peers.streams(),
                streams,
                ports.clock().nanos(),
                PATIENCE.toMillis());
        Progress progress = new Progress();
        this.reads = new Reads(router, replica, progress, streams, PATIENCE);
        this.watches = new WatchHub(
                replica,
                ports.watches(),
                ports.threads().apply("holdfast-watches"),
                ports.clock().nanos());
        this.hashes = new StateHashes(replica);
        this.changes = new MemberChanges(log, self.id());
        this.liveness = new Liveness(
                ports.clock().nanos(),
                ports.stall(),
                replica::appliedIndex,
                () -> !batcher.isIdle() || progress.isAwaited(),
                batcher::steps);
        this.lookPause = ports.stall().dividedBy(LOOKS_PER_STALL);
        listeners(progress).forEach(replica::listen);
        metrics.gauge("holdfast.watches", watches::watches);
        metrics.gauge("holdfast.watches.waiting.bytes", watches::waitingBytes);
        metrics.gauge("holdfast.queue.commands", batcher::queued);
        metrics.gauge("holdfast.sessions", sessions::count);
    }

    /**
     * Who is told what was applied, in this order: whoever asked for a change, then those who wait for it to happen to
     * their lease, then the hub that brings events to watches on a thread of its own, then those who only wait for the log to get somewhere, and last those who take notes.
     */
    private List<ReplicaListener> listeners(Progress progress) {
        return List.of(batcher, leases, watches, progress, hashes, metrics);
    }

    /**
     * Tells of a new role, in this order: who is asked where the leader is must know before anybody asks; requests come
     * here only when the batcher takes them.
     */
    private void roleChanged(Role role) {
        roles.accept(role);
        neighbours.roleChanged(role);
        batcher.roleChanged(role);
        router.roleChanged(role);
        metrics.roleChanged(role);
        // Not in the thread that tells: it must not be made to ask the log.
        streams.execute(this::followLeader);
    }

    private void followLeader() {
        updateReady();
        neighbours.leaderAddress().ifPresent(leader -> sessions.move(leader, "another node leads"));
    }

    private synchronized void updateReady() {
        ready.setHealthy(problem().isEmpty());
    }

    /** Looks whether the node still does its work; if its proposing thread surely never will, another must lead. */
    private void look() {
        updateReady();
        if (liveness.isHopeless() && leads() && members().size() > 1) {
            failure.accept(
                    liveness.look().orElse("the proposing thread stands still") + "; another node must lead", null);
        }
    }

    /** Why this node should be asked nothing now; empty if it is ready. */
    public Optional<String> problem() {
        Optional<String> stalled = liveness.look();
        if (draining) {
            return Optional.of("this node is stopping");
        }
        return knowsLeader() ? stalled : Optional.of("no leader is known: " + neighbours.describe());
    }

    /** Takes note of what went wrong with a request: without memory a node must not go on. */
    public void failed(Throwable cause) {
        // Not for a stack that is too deep: that is the fault of a request, and harms nobody else.
        if (cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError)) {
            failure.accept("a request failed for good: " + cause, cause);
        }
    }

    /** Takes part in the log. */
    public void start() throws IOException {
        log.start();
        proposing.start(batcher::step);
        neighbours.start();
        var unused = streams.scheduleWithFixedDelay(
                this::look, lookPause.toMillis(), lookPause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** From now on a leader that does not know this node as a member means that it was removed. */
    public void joined() {
        joined = true;
    }

    /** Whether the members are known here, and this node is one of them as it should be. */
    public boolean isSettled() {
        return log.status().membersSince() != LogStatus.CHANGING;
    }

    private void removed() {
        if (joined) {
            failure.accept(
                    self.id() + " was removed from the cluster; its data directory is no longer needed and can be "
                            + "deleted",
                    null);
        }
    }

    /** Sends clients elsewhere and finishes what was begun, with leadership handed on so that nobody waits for it. */
    public void drain() {
        draining = true;
        updateReady();
        sessions.move("", "this node is stopping");
        if (leads() && members().size() > 1) {
            try {
                // The last stamp of this leader: the next one's clock goes on from there.
                batcher.barrier(Flow.OF_NODE).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                log.transferLeadership(Optional.empty(), TRANSFER).get(TRANSFER.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | CompletionException | TimeoutException e) {
                LOG.warn("leadership was not handed over; the others will elect a leader: {}", e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        batcher.close();
        long end = System.nanoTime() + DRAIN.toNanos();
        while (!batcher.isIdle() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(DRAIN_LOOK_NANOS);
        }
    }

    /** Stops at once. Nothing that was acknowledged is lost. */
    @Override
    public void close() {
        neighbours.close();
        router.close();
        proposing.close();
        log.close();
        watches.close();
        streams.shutdown();
    }

    // Who it is --------------------------------------------------------------------------------------

    public Member self() {
        return self;
    }

    /** The cluster's id. */
    public String cluster() {
        return cluster.toString();
    }

    /** The cluster's id as clients know it. */
    public long clusterNumber() {
        return cluster.getMostSignificantBits() ^ cluster.getLeastSignificantBits();
    }

    /** The client addresses of all nodes that serve. */
    public List<String> clientAddresses() {
        return members().stream()
                .map(Member::clientAddress)
                .filter(client -> !client.isEmpty())
                .toList();
    }

    /** The members as this node's log knows them. */
    public List<Member> members() {
        return log.members();
    }

    /** Whether a member has this name, as this node's log knows. */
    public boolean isMember(String name) {
        return members().stream().anyMatch(member -> member.id().name().equals(name));
    }

    public boolean leads() {
        return neighbours.role() instanceof Role.Leading;
    }

    /** Whether this node leads, or knows who does. */
    public boolean knowsLeader() {
        return leads() || neighbours.leader().isPresent();
    }

    /** Whether it takes requests: there is no {@link #problem}. */
    public ListenableHealthChecker ready() {
        return ready;
    }

    // What it can be asked ---------------------------------------------------------------------------

    /** Requests that go to whoever leads. */
    public Requests requests() {
        return router;
    }

    /** Requests that this node must serve as the leader. */
    public Batcher local() {
        return batcher;
    }

    public Reads reads() {
        return reads;
    }

    public LockReplica replica() {
        return replica;
    }

    /** Those who wait for something to happen to a lease. */
    public LeaseListeners listeners() {
        return leases;
    }

    public WatchHub watches() {
        return watches;
    }

    public StateHashes hashes() {
        return hashes;
    }

    public NodeMetrics metrics() {
        return metrics;
    }

    public Sessions sessions() {
        return sessions;
    }

    public ReplicatedLog log() {
        return log;
    }

    public Neighbours neighbours() {
        return neighbours;
    }

    public MemberChanges changes() {
        return changes;
    }

    public Peers peers() {
        return peers;
    }

    /** One thread, for what is written to streams between nodes. */
    public ScheduledExecutorService streams() {
        return streams;
    }
}
