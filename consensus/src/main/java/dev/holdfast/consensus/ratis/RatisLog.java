package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.DirectoryLock;
import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.consensus.SnapshotSource;
import dev.holdfast.consensus.ratis.Followers.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link ReplicatedLog} kept by Apache Ratis, for a member of a cluster.
 *
 * <pre>
 * RatisLog ─ Engine ──────────► Ratis ──────────► Machine ─┬─ Duty: FullDuty or WitnessDuty ─ SnapshotStore
 *    ├─ Proposals: what became of an entry                 ├─ Proposals
 *    ├─ Membership: members, leadership                    ├─ Roles: tells the replica, in order
 *    ├─ Upkeep: what Ratis does not look after             └─ Failure: tells the replica, once
 *    ├─ Succession: notices a silent leader
 *    └─ ApplierWatch: notices a lost signal
 * </pre>
 *
 * <p>{@link Replica#roleChanged} must not call the log. A log is started once and closed once.
 */
public final class RatisLog implements ReplicatedLog {
    private static final Logger LOG = LoggerFactory.getLogger(RatisLog.class);

    private final RatisSettings settings;
    private final RaftGroupId group;
    private final Path logDirectory;
    private final ExecutorService worker;
    private final Failure failure;
    private final Proposals proposals = new Proposals();
    private final Roles roles;
    private final DurableDirectory durable;
    private final FlushedLog flushed = new FlushedLog();
    private final ApplierWatch applierWatch;
    private final Ballot ballot;
    private final Membership membership;
    private final Duty duty;
    private final SnapshotSource source;
    private @Nullable DirectoryLock lock;
    private @Nullable Upkeep upkeep;
    private @Nullable Succession succession;
    private volatile @Nullable Engine engine;
    private boolean closed;

    public RatisLog(RatisSettings settings, Replica replica, SnapshotSource source) {
        this(settings, replica, source, new DurableDirectory(logDirectory(settings), settings.directory()));
    }

    /** On a disk that may be a test's. */
    RatisLog(RatisSettings settings, Replica replica, SnapshotSource source, DurableDirectory durable) {
        this.settings = settings;
        this.source = source;
        Member self = settings.self();
        String name = self.id().toString();
        boolean witness = self.part() == Part.WITNESS;
        this.group = RaftGroupId.valueOf(settings.cluster());
        this.logDirectory = logDirectory(settings);
        this.worker = Executors.newSingleThreadExecutor(Threads.named(name + "-snapshots"));
        this.failure = new Failure(replica, settings.directory());
        this.roles = new Roles(name, replica, failure, !witness);
        this.applierWatch = new ApplierWatch(name);
        this.durable = durable;
        this.ballot = new Ballot(logDirectory, durable);
        this.membership = new Membership(Peers.id(self.id()), logDirectory, durable, failure);
        SnapshotStore store = new SnapshotStore(logDirectory.resolveSibling("sm"), witness);
        this.duty = witness
                ? new WitnessDuty(store, worker, this::requestSnapshot)
                : new FullDuty(
                        replica, store, settings.seed(), settings.snapshotAfterBytes(), worker, this::requestSnapshot);
    }

    private static Path logDirectory(RatisSettings settings) {
        return settings.directory().resolve(settings.cluster().toString()).resolve("current");
    }

    @Override
    public synchronized void start() throws IOException {
        if (closed || lock != null) {
            throw new IllegalStateException("a log is started once");
        }
        Files.createDirectories(settings.directory());
        lock = DirectoryLock.acquire(settings.directory());
        TornTail.repair(logDirectory);
        durable.flushLog();
        membership.checkStored();
        ballot.open();
        ClientId client = ClientId.randomId();
        try {
            run(build(client), client);
        } catch (IOException | RuntimeException e) {
            throw refusal(e);
        }
    }

    private void run(RaftServer server, ClientId client) throws IOException {
        try {
            server.start();
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        Engine started = new Engine(server, group, client);
        engine = started;
        proposals.open(started);
        Upkeep begun = new Upkeep(settings, started, proposals, roles, membership, duty, flushed, failure);
        upkeep = begun;
        begun.start();
        if (settings.self().part() != Part.WITNESS) {
            Succession watching = new Succession(settings, started);
            succession = watching;
            watching.start();
        }
    }

    private RaftServer build(ClientId client) throws IOException {
        Machine machine = new Machine(
                Peers.id(settings.self().id()),
                client,
                duty,
                proposals,
                roles,
                failure,
                durable,
                flushed,
                applierWatch,
                membership,
                source);
        return RaftServer.newBuilder()
                .setServerId(Peers.id(settings.self().id()))
                .setGroup(initialGroup())
                .setProperties(RatisProperties.of(settings))
                .setParameters(SocketTransport.parameters(settings, durable, flushed, ballot))
                .setOption(RaftStorage.StartupOption.RECOVER)
                .setStateMachine(machine)
                .build();
    }

    /**
     * A node that joins begins as a learner of its own: it never campaigns, and is ready to hear from a leader. With
     * no members at all the engine would wait for a word that leaders never send to learners.
     */
    private RaftGroup initialGroup() {
        Member self = settings.self();
        List<Member> members = settings.initialMembers().isEmpty()
                ? List.of(new Member(self.id(), self.peerAddress(), self.clientAddress(), Part.LEARNER))
                : settings.initialMembers();
        return RaftGroup.valueOf(group, members.stream().map(Peers::peer).toList());
    }

    /** What went wrong, without the layers the engine wrapped around it. */
    private LogException refusal(Exception e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof LogException known) {
                return known;
            }
        }
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new LogException("the log in " + settings.directory() + " cannot start: " + root, e);
    }

    /** Of this package and its tests. */
    Engine running() {
        Engine running = engine;
        if (running == null) {
            throw new LogException("the log is not running");
        }
        return running;
    }

    @Override
    public CompletableFuture<Outcome> propose(long term, byte[] entry) {
        return proposals.propose(term, Entry.Replicated.of(entry).bytes());
    }

    @Override
    public List<Member> members() {
        return Peers.members(running().division().getRaftConf());
    }

    @Override
    public LogStatus status() {
        RaftServer.Division division = running().division();
        Map<NodeId, Progress> followers = Followers.of(division);
        RaftConfiguration members = division.getRaftConf();
        boolean settled = members.getPreviousPeers().isEmpty() && !isYetToVote(division);
        return new LogStatus(
                "replicated by Apache Ratis",
                roles.current(),
                division.getInfo().getLastAppliedIndex(),
                latestSnapshot().map(SnapshotFile::index).orElse(-1L),
                Peers.members(members),
                settled ? members.getLogEntryIndex() : LogStatus.CHANGING,
                followers.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                follower -> follower.getValue().matched())),
                followers.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                follower -> follower.getValue().silentMillis())));
    }

    /**
     * Whether this node has read that it votes and does not do so: the engine makes it a voter when the leader's next
     * message comes. If the leader died before that, a majority that needs this vote could elect nobody.
     */
    private boolean isYetToVote(RaftServer.Division division) {
        return division.getInfo().isListener()
                && Peers.members(division.getRaftConf()).stream()
                        .anyMatch(member -> member.id().equals(settings.self().id()) && member.votes());
    }

    /** Whether this node was removed from the cluster: it takes no part any more, and can be stopped. */
    public boolean hasLeft() {
        return membership.hasLeft();
    }

    @Override
    public CompletableFuture<Void> reconfigure(List<Member> expected, List<Member> next) {
        return membership.reconfigure(running(), expected, next);
    }

    @Override
    public CompletableFuture<Void> transferLeadership(Optional<NodeId> to, Duration atMost) {
        return membership.transfer(running(), to, atMost);
    }

    @Override
    public CompletableFuture<Long> snapshot() {
        return duty.requestSnapshot(running().division().getInfo().getLastAppliedIndex());
    }

    private void requestSnapshot() {
        Engine running = engine;
        if (running != null) {
            CompletableFuture<Void> unused = running.snapshot().whenComplete((done, e) -> {
                if (e != null) {
                    duty.snapshotRefused(String.valueOf(e));
                } else {
                    duty.remind();
                }
            });
        }
    }

    @Override
    public Optional<SnapshotFile> latestSnapshot() {
        return settings.self().part() == Part.WITNESS ? Optional.empty() : duty.latest();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        failure.stopped();
        Succession watching = succession;
        if (watching != null) {
            watching.close();
        }
        Upkeep running = upkeep;
        if (running != null) {
            running.close();
        }
        applierWatch.close();
        Engine open = engine;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.warn("the engine did not close cleanly", e);
            }
        }
        proposals.close();
        worker.shutdownNow();
        duty.close();
        roles.close();
        awaitWorker();
        DirectoryLock held = lock;
        if (held != null) {
            try {
                held.close();
            } catch (IOException e) {
                LOG.warn("the lock on {} was not given up cleanly", settings.directory(), e);
            }
        }
    }

    /** For tests: what a pause of minutes or a broken disk makes the engine do. */
    void closeEngineOnly() {
        running().division().close();
    }

    /** For tests, that close it: the engine is left to its own signals then. */
    ApplierWatch applierWatch() {
        return applierWatch;
    }

    private void awaitWorker() {
        try {
            if (!worker.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("a snapshot is still being fetched or written; its thread ends with it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
