package dev.holdfast.server;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.Role;
import dev.holdfast.server.cluster.MemberChanges;
import dev.holdfast.server.cluster.Neighbours;
import dev.holdfast.server.forward.Router;
import dev.holdfast.server.metrics.NodeMetrics;
import dev.holdfast.server.peer.NodeServices;
import dev.holdfast.server.peer.client.PeerClients;
import dev.holdfast.server.propose.BatchSettings;
import dev.holdfast.server.propose.Batcher;
import dev.holdfast.server.propose.ProposingThread;
import dev.holdfast.server.read.Reads;
import dev.holdfast.server.replica.LeaseListeners;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.Progress;
import dev.holdfast.server.replica.StateHashes;
import dev.holdfast.server.watch.WatchHub;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The working parts of a node that has its log: machine, batcher, watches, ways to the leader.
 *
 * <p>The order of the listeners matters: whoever asked for a change is answered first, then those who wait for it to
 * happen to their lease, then watches, then those who only wait for the log to get somewhere.
 */
public final class NodeRuntime implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRuntime.class);
    private static final int EVENTS_PER_WATCH = 4_096;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration TRANSFER = Duration.ofSeconds(3);
    private static final Duration DRAIN = Duration.ofSeconds(5);
    private static final long DRAIN_LOOK_NANOS = 5_000_000;

    private final Member self;
    private final String cluster;
    private final PeerClients clients;
    private final BiConsumer<String, @Nullable Throwable> failure;
    private final LockReplica replica;
    private final LeaseListeners leases = new LeaseListeners();
    private final Progress progress = new Progress();
    private final WatchHub watches;
    private final StateHashes hashes;
    private final NodeMetrics metrics;
    private final ProposingThread proposing;
    private final ScheduledThreadPoolExecutor executor =
            new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "holdfast-streams"));
    private final List<Consumer<Role>> roleListeners = new CopyOnWriteArrayList<>();
    private volatile boolean joined;
    private @Nullable NodeServices services;
    private @Nullable Router router;

    /** Makes the log once there is a replica for it to drive. */
    @FunctionalInterface
    interface LogMaker {
        ReplicatedLog make(Replica replica) throws IOException;
    }

    NodeRuntime(Member self, UUID cluster, PeerClients clients, BiConsumer<String, @Nullable Throwable> failure) {
        this.self = self;
        // Each read that waits has a timer, and nearly all of them are taken back.
        this.executor.setRemoveOnCancelPolicy(true);
        this.cluster = cluster.toString();
        this.clients = clients;
        this.failure = failure;
        this.replica = new LockReplica(this::roleChanged, failure);
        this.watches = new WatchHub(replica, EVENTS_PER_WATCH);
        this.hashes = new StateHashes(replica);
        this.metrics = new NodeMetrics(replica);
        this.proposing = new ProposingThread(failure);
    }

    void start(LogMaker maker) throws IOException {
        ReplicatedLog log = maker.make(replica);
        Neighbours neighbours =
                new Neighbours(self.id(), cluster, () -> log.status().members(), clients, this::removed);
        Batcher batcher = new Batcher(
                log,
                replica,
                neighbours,
                BatchSettings.DEFAULT,
                new SecureRandom().nextLong(),
                Batcher.Ticks.SYSTEM,
                proposing::wake,
                metrics);
        Router way = new Router(
                batcher, neighbours, cluster, clients::streams, executor, System::nanoTime, PATIENCE.toMillis());
        replica.listen(batcher);
        replica.listen(leases);
        replica.listen(watches);
        replica.listen(progress);
        replica.listen(hashes);
        replica.listen(metrics);
        roleListeners.add(batcher::roleChanged);
        roleListeners.add(neighbours::roleChanged);
        roleListeners.add(way::roleChanged);
        roleListeners.add(metrics::roleChanged);
        metrics.gauge("holdfast.watches", watches::watches);
        metrics.gauge("holdfast.queue.commands", batcher::queued);
        Reads reads = new Reads(way, replica, progress, executor, PATIENCE);
        services = new NodeServices(
                self,
                cluster,
                log,
                replica,
                batcher,
                way,
                reads,
                neighbours,
                new MemberChanges(log, self.id()),
                clients,
                executor);
        router = way;
        log.start();
        proposing.start(batcher);
        neighbours.start();
    }

    private void roleChanged(Role role) {
        LOG.info("role: {}", role);
        roleListeners.forEach(listener -> listener.accept(role));
    }

    /** From now on a leader that does not know this node as a member means that it was removed. */
    void joined() {
        joined = true;
    }

    private void removed() {
        if (joined) {
            failure.accept(
                    self.id() + " was removed from the cluster; its data directory is of no use any more and can be"
                            + " deleted",
                    null);
        }
    }

    /** Follows the role as well. */
    void onRole(Consumer<Role> listener) {
        roleListeners.add(listener);
    }

    NodeServices services() {
        NodeServices present = services;
        if (present == null) {
            throw new IllegalStateException("not started");
        }
        return present;
    }

    LeaseListeners leases() {
        return leases;
    }

    WatchHub watches() {
        return watches;
    }

    StateHashes hashes() {
        return hashes;
    }

    NodeMetrics metrics() {
        return metrics;
    }

    /** Finishes what was begun, with leadership handed on first so that others need not wait for an election. */
    void drain() {
        NodeServices parts = services();
        if (parts.neighbours().role() instanceof Role.Leading && parts.members().size() > 1) {
            try {
                // The last stamp of this leader: the next one's clock goes on from there.
                parts.local().barrier().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                parts.log()
                        .transferLeadership(Optional.empty(), TRANSFER)
                        .get(TRANSFER.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | CompletionException | TimeoutException e) {
                LOG.warn("leadership was not handed on; the others will elect a leader: {}", e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        parts.local().close();
        long end = System.nanoTime() + DRAIN.toNanos();
        while (!parts.local().isIdle() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(DRAIN_LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        NodeServices parts = services;
        Router way = router;
        if (parts != null) {
            parts.neighbours().close();
        }
        if (way != null) {
            way.close();
        }
        proposing.close();
        if (parts != null) {
            parts.log().close();
        }
        executor.shutdown();
    }
}
