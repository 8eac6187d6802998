package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.chaos.NodeProcess.Place;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.MemberListRequest;
import dev.holdfast.protocol.v1.StateHashRequest;
import dev.holdfast.protocol.v1.StateHashResponse;
import dev.holdfast.protocol.v1.StatusRequest;
import dev.holdfast.protocol.v1.StatusResponse;
import dev.holdfast.testports.TestPorts;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster of real processes. */
final class Cluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int MAX_LINES = 100;

    private final Path root;
    private final Map<String, String> settings;
    private final Map<String, String> founding;
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
    private final Clients clients = new Clients();
    private Optional<NodeProcess> witness = Optional.empty();

    private Cluster(Path root, Map<String, String> settings) {
        this.root = root;
        this.settings = settings;
        this.founding = new LinkedHashMap<>(settings);
        NodeOutput.remember(this);
    }

    /** Nodes n1, n2 … that have been started and have a leader. */
    static Cluster start(Path root, int size, Map<String, String> settings) throws IOException {
        return prepare(root, size, settings).startAll();
    }

    /** One node, n1, that is not of a cluster. Not started. */
    static Cluster single(Path root) throws IOException {
        Cluster cluster = new Cluster(root, Map.of());
        cluster.nodes.put(
                "n1", new NodeProcess("n1", root.resolve("n1"), freePlaces(1).get(0), Map.of()));
        return cluster;
    }

    /** Two full nodes, n1 and n2, and a witness, w. */
    static Cluster startWithWitness(Path root, Map<String, String> settings) throws IOException {
        List<Place> places = freePlaces(3);
        String witness = "w=/" + places.get(2).peerAddress() + ";witness";
        Cluster cluster = prepare(root, places.subList(0, 2), settings, List.of(witness));
        cluster.witness = Optional.of(new NodeProcess("w", root.resolve("w"), places.get(2), cluster.founding));
        cluster.witness().start();
        return cluster.startAll();
    }

    /** The witness, which is in no list of those that serve. */
    NodeProcess witness() {
        return witness.orElseThrow();
    }

    /** Nodes that have not been started. */
    static Cluster prepare(Path root, int size, Map<String, String> settings) throws IOException {
        return prepare(root, freePlaces(size), settings, List.of());
    }

    /** The same, each in its place; {@code more} are members that serve nobody. */
    static Cluster prepare(Path root, List<Place> places, Map<String, String> settings, List<String> more) {
        Cluster cluster = new Cluster(root, settings);
        List<String> members = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            String name = "n" + (i + 1);
            Place place = places.get(i);
            members.add(name + "=" + place.clientAddress() + "/" + place.peerAddress());
            cluster.nodes.put(name, new NodeProcess(name, root.resolve(name), place, cluster.founding));
        }
        members.addAll(more);
        cluster.founding.put("cluster-members", String.join(", ", members));
        return cluster;
    }

    /** Starts all nodes and waits for a leader. */
    Cluster startAll() throws IOException {
        for (NodeProcess node : nodes.values()) {
            node.start();
        }
        awaitLeader();
        return this;
    }

    /** A node that knows one address of the cluster. Not started. */
    NodeProcess newcomer(String name, Map<String, String> more) throws IOException {
        NodeProcess node = joining(name, more);
        nodes.put(name, node);
        return node;
    }

    /** A witness that knows one address of the cluster. Not started. */
    NodeProcess newWitness(String name) throws IOException {
        NodeProcess node = joining(name, Map.of("node-part", "witness"));
        witness = Optional.of(node);
        return node;
    }

    private NodeProcess joining(String name, Map<String, String> more) throws IOException {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("cluster-join", running().get(0).clientAddress());
        all.putAll(more);
        return new NodeProcess(name, root.resolve(name), freePlaces(1).get(0), all);
    }

    static List<Place> freePlaces(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Place.onLoopback(TestPorts.next(), TestPorts.next()))
                .toList();
    }

    NodeProcess node(String name) {
        NodeProcess node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException(name);
        }
        return node;
    }

    List<NodeProcess> running() {
        return nodes.values().stream().filter(NodeProcess::isAlive).toList();
    }

    void forget(String name) {
        nodes.remove(name);
    }

    Clients clients() {
        return clients;
    }

    List<String> addresses() {
        return nodes.values().stream().map(NodeProcess::clientAddress).toList();
    }

    Optional<StatusResponse> status(NodeProcess node) {
        try {
            return Optional.of(clients.admin(node.clientAddress()).status(StatusRequest.getDefaultInstance()));
        } catch (StatusRuntimeException e) {
            return Optional.empty();
        }
    }

    NodeProcess awaitLeader() {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(this::leader, Optional::isPresent)
                .orElseThrow();
    }

    /** The node that leads in the highest term, if one says so. */
    Optional<NodeProcess> leader() {
        NodeProcess leader = null;
        long term = -1;
        for (NodeProcess node : running()) {
            Optional<StatusResponse> status = status(node);
            if (status.isPresent()
                    && status.get().getRole().equals("leading")
                    && status.get().getHeader().getRaftTerm() > term) {
                leader = node;
                term = status.get().getHeader().getRaftTerm();
            }
        }
        return Optional.ofNullable(leader);
    }

    NodeProcess follower() {
        NodeProcess leader = awaitLeader();
        return running().stream().filter(node -> node != leader).findFirst().orElseThrow();
    }

    /** Waits until every running node serves. */
    void awaitAll() {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> running().stream()
                        .allMatch(node -> status(node)
                                .map(status -> !status.getRole().equals("no leader"))
                                .orElse(false)));
    }

    List<MemberInfo> members() {
        return clients.admin(awaitLeader().clientAddress())
                .memberList(MemberListRequest.getDefaultInstance())
                .getMembersList();
    }

    /** The hashes of all running nodes' states after the same entry are equal. */
    void assertStatesEqual() {
        awaitAll();
        List<NodeProcess> asked = running();
        // While a lease lives the leader puts the time into the log, so the entry asked for will come.
        var unused = clients.locks(awaitLeader().clientAddress())
                .leaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(60_000).build());
        await().atMost(PATIENCE).ignoreException(StatusRuntimeException.class).untilAsserted(() -> {
            long index = clients.admin(awaitLeader().clientAddress())
                            .status(StatusRequest.getDefaultInstance())
                            .getAppliedIndex()
                    + 5;
            List<CompletableFuture<StateHashResponse>> hashes = asked.stream()
                    .map(node -> CompletableFuture.supplyAsync(() -> clients.admin(node.clientAddress())
                            .stateHash(StateHashRequest.newBuilder()
                                    .setAtIndex(index)
                                    .build())))
                    .toList();
            Map<Long, Long> byNode = hashes.stream()
                    .map(CompletableFuture::join)
                    .collect(Collectors.toMap(StateHashResponse::getHash, StateHashResponse::getIndex, (a, b) -> a));
            assertThat(byNode)
                    .as(
                            "state hashes of %s",
                            asked.stream().map(NodeProcess::name).toList())
                    .hasSize(1);
        });
    }

    /** The end of what each node has written, for the report of a failed test. */
    String outputs() throws IOException {
        StringBuilder all = new StringBuilder();
        for (NodeProcess node :
                Stream.concat(nodes.values().stream(), witness.stream()).toList()) {
            List<String> lines = node.output().lines().toList();
            all.append("---- ").append(node.name()).append('\n');
            lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size())
                    .forEach(line -> all.append(line).append('\n'));
        }
        return all.toString();
    }

    @Override
    public void close() throws IOException {
        clients.close();
        for (NodeProcess node : nodes.values()) {
            node.close();
        }
        if (witness.isPresent()) {
            witness.get().close();
        }
    }
}
