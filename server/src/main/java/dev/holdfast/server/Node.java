package dev.holdfast.server;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.OwnerOnly;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.ratis.PeerTls;
import dev.holdfast.consensus.ratis.RatisLog;
import dev.holdfast.consensus.ratis.RatisSettings;
import dev.holdfast.server.cluster.DataDirectory;
import dev.holdfast.server.cluster.Formation;
import dev.holdfast.server.cluster.Joining;
import dev.holdfast.server.cluster.Placement;
import dev.holdfast.server.cluster.Placement.Seat;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.node.NodePorts;
import dev.holdfast.server.node.Peers;
import dev.holdfast.server.peer.SnapshotFetch;
import dev.holdfast.server.peer.client.PeerClients;
import dev.holdfast.server.settings.ClusterSettings;
import dev.holdfast.server.settings.HostPort;
import dev.holdfast.server.settings.NodeSettings;
import dev.holdfast.server.settings.StaticMember;
import dev.holdfast.server.tls.MemberName;
import dev.holdfast.server.tls.NodeTls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node of the service: finds its cluster, starts its log, serves.
 *
 * <p>In this order: the directory says who the node is; the client port opens, for peers only; the cluster is formed,
 * found or remembered; the log starts; the port serves everybody. A witness has no port: it only takes part in the log.
 */
public final class Node implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final Duration JOIN_PATIENCE = Duration.ofMinutes(5);
    static final String RATIS = "ratis";

    private final NodeSettings settings;
    private final BiConsumer<String, @Nullable Throwable> failure;
    private final DataDirectory directory;
    private final Member self;
    private final Protection protection;
    private final PeerClients clients;
    private final Formation formation;
    private final ServicePort port;
    private @Nullable NodeCore core;
    private @Nullable Thread joiner;

    /**
     * Opens the node's directory.
     *
     * @param failure called once when the node cannot continue: the process should end
     */
    public Node(NodeSettings settings, BiConsumer<String, @Nullable Throwable> failure) throws IOException {
        this.settings = settings;
        this.failure = failure;
        // First, so that a node that cannot prove itself leaves no trace.
        this.protection = new Protection(
                settings.security(), settings.addresses(), settings.identity().name());
        this.clients = new PeerClients(protection.tls());
        this.directory = DataDirectory.open(
                settings.identity().dataDirectory(), settings.identity().name());
        boolean witness = settings.identity().part() == Member.Part.WITNESS;
        this.self = new Member(
                directory.id(),
                settings.addresses().peerAdvertised().toString(),
                witness ? "" : settings.addresses().clientAdvertised().toString(),
                settings.identity().part());
        this.formation = new Formation(self, names(), addressesOfOthers(), directory.seedSum());
        this.port = new ServicePort(settings.addresses().client(), formation::heard, protection);
    }

    private List<String> names() {
        return settings.cluster().members().stream().map(StaticMember::name).toList();
    }

    private List<String> addressesOfOthers() {
        return settings.cluster().members().stream()
                .filter(member -> !member.name().equals(self.id().name()))
                .flatMap(member -> member.clientAddress().stream())
                .map(HostPort::toString)
                .toList();
    }

    /** Starts the node; returns when it takes part in its cluster, before it knows a leader. */
    public void start() throws IOException, InterruptedException {
        settings.describe().forEach(line -> LOG.info("setting {}", line));
        settings.warnings().forEach(LOG::warn);
        OwnerOnly.wider(settings.identity().dataDirectory())
                .ifPresent(permissions -> LOG.warn(
                        "data.dir {} is {}: others than its owner may get at the locks and lease ids in it; chmod 700",
                        settings.identity().dataDirectory(),
                        permissions));
        warnOfPlacement();
        protection.follow();
        boolean serves = self.isFull();
        if (serves) {
            port.open();
        }
        boolean wasMember = directory.cluster().isPresent();
        Optional<Joining> joining = directory.hasJoined() ? Optional.empty() : joining();
        UUID cluster = wasMember ? remembered() : enter(joining);
        Peers peers = new Peers(clients::streams, clients::questions, clients::admin);
        NodeCore started = new NodeCore(NodePorts.inProduction(
                self, cluster, replica -> log(cluster, replica), peers, this::failed, settings.election()));
        core = started;
        started.start();
        if (serves) {
            protection.askMembers(started::isMember);
            port.serve(started);
        }
        joining.ifPresentOrElse(asking -> completeJoining(asking, started), started::joined);
        LOG.info(
                "{} takes part in cluster {} ({}); clients: {}, peers: {}",
                self.id(),
                cluster,
                started.log().status().description(),
                serves ? self.clientAddress() : "none, this is a witness",
                self.peerAddress());
    }

    private void warnOfPlacement() {
        List<Seat> seats = settings.cluster().members().stream()
                .map(member -> new Seat(member.name(), member.region(), member.part()))
                .toList();
        if (seats.stream().anyMatch(seat -> !seat.region().isEmpty())) {
            new Placement(seats).warnings().forEach(LOG::warn);
        }
    }

    private Optional<Joining> joining() {
        ClusterSettings cluster = settings.cluster();
        return cluster.mode() == ClusterSettings.Mode.JOIN
                ? Optional.of(new Joining(
                        clients,
                        cluster.join().stream().map(HostPort::toString).toList(),
                        self,
                        cluster.replaces().orElse("")))
                : Optional.empty();
    }

    private UUID remembered() throws IOException {
        UUID cluster = directory.cluster().orElseThrow();
        formation.formedBefore(new Formation.Cluster(cluster, directory.founders()));
        return cluster;
    }

    private UUID enter(Optional<Joining> joining) throws IOException, InterruptedException {
        if (joining.isPresent()) {
            if (directory.seed().isPresent()) {
                throw new IOException(
                        "a restored directory cannot join a cluster; it starts a new one with cluster.members");
            }
            UUID found = joining.get().find(JOIN_PATIENCE);
            directory.enter(found, List.of());
            formation.formedBefore(new Formation.Cluster(found, List.of()));
            return found;
        }
        Formation.Cluster formed = settings.cluster().mode() == ClusterSettings.Mode.FORM
                ? formation.form(clients)
                : new Formation.Cluster(UUID.randomUUID(), List.of(self));
        if (settings.cluster().mode() == ClusterSettings.Mode.SINGLE) {
            if (directory.seed().isPresent()) {
                throw new IOException("a restored directory needs cluster.members, if only with this one node");
            }
            // First, for a cluster without a log of this kind is one with a replicated log.
            SingleNodeLog.decideFor(directory);
        }
        directory.enter(formed.id(), formed.founders());
        return formed.id();
    }

    /** What kind of log a node has is decided once, by its first start. */
    private ReplicatedLog log(UUID cluster, Replica replica) throws IOException {
        if (SingleNodeLog.isIn(directory)) {
            return SingleNodeLog.open(directory, self, settings.snapshotAfterBytes(), replica);
        }
        Optional<NodeTls> tls = protection.tls().filter(NodeTls::asksMembers);
        if (settings.security().auth().isPresent() && tls.isEmpty()) {
            throw new IOException("auth.keys needs tls.certificate, tls.key and tls.ca for a node whose directory "
                    + "belongs to a cluster: otherwise anyone who claims to be a member could act for every client");
        }
        RatisSettings ratis = new RatisSettings(
                self,
                cluster,
                directory.log().resolve(RATIS),
                directory.founders(),
                settings.election().shortest(),
                settings.election().longest(),
                settings.snapshotAfterBytes(),
                Optional.of(settings.addresses().peer().host()),
                directory.seed(),
                tls.map(own -> new PeerTls(own.keys(), own.members(), MemberName::of)));
        return new RatisLog(ratis, replica, new SnapshotFetch(clients, cluster.toString()));
    }

    private void completeJoining(Joining joining, NodeCore running) {
        Thread thread = new Thread(
                () -> {
                    try {
                        joining.complete(JOIN_PATIENCE, running::isSettled);
                        directory.setJoined();
                        running.joined();
                        LOG.info("{} has joined", self.id());
                    } catch (IOException e) {
                        failed("cannot join: " + e.getMessage(), e);
                    } catch (LogException e) {
                        // It stopped meanwhile; whoever stopped it, or its own failure, says why.
                        LOG.debug("not joined", e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "holdfast-join");
        joiner = thread;
        thread.start();
    }

    private void failed(String message, @Nullable Throwable cause) {
        failure.accept(message, cause);
    }

    public Member self() {
        return self;
    }

    /** Whether this node knows a leader, takes requests, and gets on with them. */
    public boolean isReady() {
        NodeCore running = core;
        return running != null && running.problem().isEmpty();
    }

    /** Shuts down cleanly: hands over leadership, finishes what was started. */
    public void drain() {
        NodeCore running = core;
        if (running != null) {
            running.drain();
        }
    }

    /** Stops at once. Nothing that was acknowledged is lost. */
    @Override
    public void close() {
        Thread joinerThread = joiner;
        if (joinerThread != null) {
            joinerThread.interrupt();
        }
        port.close();
        NodeCore running = core;
        if (running != null) {
            running.close();
        }
        clients.close();
        protection.close();
        try {
            directory.close();
        } catch (IOException e) {
            LOG.warn("cannot release the lock on the data directory", e);
        }
    }
}
