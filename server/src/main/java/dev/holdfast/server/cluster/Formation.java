package dev.holdfast.server.cluster;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.protocol.v1.AnnounceRequest;
import dev.holdfast.protocol.v1.AnnounceResponse;
import dev.holdfast.protocol.v1.Identity;
import dev.holdfast.protocol.v1.Part;
import dev.holdfast.server.peer.client.PeerClients;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a cluster is first formed out of a list of names.
 *
 * <p>Every node has an identity that nobody knows yet. Each tells it to every full node of the list until all know all,
 * and each full one says so; then they start with the same members, and a cluster id that is made of them. A node that
 * finds the cluster formed already takes part only if it is one of those it was formed with: a directory that was
 * emptied is not.
 */
public final class Formation {
    private static final Logger LOG = LoggerFactory.getLogger(Formation.class);
    private static final Duration ANSWER = Duration.ofSeconds(1);
    private static final long PAUSE_MILLIS = 100;
    private static final int SAY_EVERY = 50;

    private final Member self;
    private final String seed;
    private final List<String> names;
    private final Collection<String> addresses;
    private final Map<String, Identity> known = new TreeMap<>();
    private Optional<Cluster> formed = Optional.empty();

    /** A cluster's id, and whom it was formed with. */
    public record Cluster(UUID id, List<Member> founders) {}

    /**
     * One node's part in forming a cluster.
     *
     * @param names of all nodes, the same list everywhere
     * @param addresses client addresses of the other full nodes
     * @param seed a sum of the backup that this node was restored from; empty if it was not
     */
    public Formation(Member self, List<String> names, Collection<String> addresses, String seed) {
        this.self = self;
        this.seed = seed;
        this.names = names.stream().sorted().toList();
        this.addresses = List.copyOf(addresses);
        known.put(self.id().name(), Identities.of(self));
    }

    /** Answers another node's announcement. */
    public synchronized AnnounceResponse heard(AnnounceRequest request) {
        AnnounceResponse.Builder response = AnnounceResponse.newBuilder();
        if (formed.isPresent()) {
            return response.setCluster(formed.get().id().toString())
                    .addAllMembers(Identities.of(formed.get().founders()))
                    .build();
        }
        List<String> theirs = request.getNamesList().stream().sorted().toList();
        String name = NodeId.parse(request.getSelf().getId()).name();
        if (!theirs.equals(names) || !names.contains(name)) {
            return response.setRefusal("cluster.members differs: " + self.id().name() + " was told " + names + ", "
                            + name + " was told " + theirs)
                    .build();
        }
        boolean full = request.getSelf().getPart() != Part.WITNESS;
        if (full && !request.getSeed().equals(seed)) {
            return response.setRefusal(self.id().name() + " and " + name
                            + " do not start with the same state: restore both from the same backup, with the same "
                            + "options, or neither")
                    .build();
        }
        known.put(name, request.getSelf());
        return response.addAllKnown(known.values()).build();
    }

    /** Waits until the cluster can be formed. */
    public Cluster form(PeerClients clients) throws IOException, InterruptedException {
        for (int round = 0; ; round++) {
            int agree = 0;
            for (String address : addresses) {
                AnnounceResponse response = ask(clients, address);
                if (response == null) {
                    continue;
                }
                if (!response.getRefusal().isEmpty()) {
                    throw new IOException(response.getRefusal());
                }
                if (!response.getCluster().isEmpty()) {
                    return adopt(response, address);
                }
                agree += agrees(response) ? 1 : 0;
            }
            Optional<Cluster> complete = complete(agree);
            if (complete.isPresent()) {
                return complete.get();
            }
            if (round % SAY_EVERY == 0) {
                LOG.info("waiting to form a cluster of {}: heard of {}", names, heardOf());
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    /** For a node whose directory says that the cluster was formed before. */
    public synchronized void formedBefore(Cluster cluster) {
        formed = Optional.of(cluster);
    }

    private @Nullable AnnounceResponse ask(PeerClients clients, String address) {
        AnnounceRequest request = AnnounceRequest.newBuilder()
                .setSelf(Identities.of(self))
                .addAllNames(names)
                .setSeed(seed)
                .build();
        try {
            return clients.blocking(address, ANSWER).announce(request);
        } catch (StatusRuntimeException e) {
            return null; // not up yet
        }
    }

    private synchronized boolean agrees(AnnounceResponse response) {
        Map<String, Identity> theirs = response.getKnownList().stream()
                .collect(Collectors.toMap(
                        identity -> NodeId.parse(identity.getId()).name(), identity -> identity, (a, b) -> a));
        theirs.forEach(known::putIfAbsent);
        return theirs.size() == names.size() && theirs.equals(known);
    }

    private Cluster adopt(AnnounceResponse response, String address) throws IOException {
        List<Member> founders = Identities.members(response.getMembersList());
        if (founders.stream().noneMatch(member -> member.id().equals(self.id()))) {
            throw new IOException("the node at " + address + " is of cluster " + response.getCluster()
                    + " already, which " + self.id()
                    + " was never a member of. If this node lost its data, start it with"
                    + " cluster.join = " + address + " and cluster.replaces = "
                    + self.id().name()
                    + " instead of cluster.members");
        }
        return settle(new Cluster(UUID.fromString(response.getCluster()), founders));
    }

    private synchronized Optional<Cluster> complete(int agree) {
        if (formed.isPresent() || known.size() < names.size() || agree < addresses.size()) {
            return formed;
        }
        String ids = known.values().stream().map(Identity::getId).sorted().collect(Collectors.joining(","));
        UUID id = UUID.nameUUIDFromBytes(ids.getBytes(StandardCharsets.UTF_8));
        return Optional.of(settle(new Cluster(id, Identities.members(List.copyOf(known.values())))));
    }

    private synchronized Cluster settle(Cluster cluster) {
        formed = Optional.of(cluster);
        return cluster;
    }

    private synchronized List<String> heardOf() {
        return List.copyOf(known.keySet());
    }
}
