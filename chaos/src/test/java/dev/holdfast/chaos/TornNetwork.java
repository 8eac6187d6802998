package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.StatusResponse;
import dev.holdfast.protocol.v1.TryLockRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiPredicate;

/**
 * What {@link PartitionTest} runs in a process and a network of its own: five nodes whose network is torn in every shape
 * that has a name, under load, and healed again.
 */
final class TornNetwork {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Map<String, String> SETTINGS = Map.of("election-profile", "fast", "insecure", "true");
    private static final int NODES = 5;
    private static final int GRANTS_WHILE_TORN = 300;
    private static final int REFUSALS = 10;
    private static final long LEASE = 77;

    private final Network network;
    private final Cluster cluster;
    private final Load load;

    /**
     * How the network is torn, seen from the leader, which is node 0, with the others from 1 to 4.
     *
     * @param minority how many, from the leader on, cannot reach a majority
     */
    private record Shape(String row, String name, int minority, BiPredicate<Integer, Integer> cut) {
        static final Shape NO_CLIENTS = new Shape("T9", "clients cut off from the leader", 0, (from, to) -> false);

        static final List<Shape> ALL = List.of(
                new Shape("T9", "leader cut off", 1, (from, to) -> from == 0 || to == 0),
                new Shape("T9", "halves, the leader in the smaller", 2, (from, to) -> from < 2 != to < 2),
                new Shape("T9", "two and two, and one who sees all", 0, (from, to) -> (from - 2) * (to - 2) < 0),
                new Shape("T9", "a ring", 0, (from, to) -> !isNext(from, to) && !isNext(to, from)),
                new Shape("T10", "the leader hears nobody", 1, (from, to) -> to == 0),
                new Shape("T10", "nobody hears the leader", 1, (from, to) -> from == 0),
                NO_CLIENTS);

        private static boolean isNext(int node, int next) {
            return Math.floorMod(next - node, NODES) == 1;
        }
    }

    private TornNetwork(Network network, Cluster cluster) {
        this.network = network;
        this.cluster = cluster;
        this.load = new Load(cluster.clients(), cluster.addresses(), 8, 8);
    }

    /** Takes the directory to work in, and whether to do it many times. Ends with 0 if all is as it should be. */
    public static void main(String[] arguments) {
        int rounds = Boolean.parseBoolean(arguments[1]) ? 5 : 1;
        Stage.run(
                Path.of(arguments[0]),
                root -> new Network(NODES),
                SETTINGS,
                (network, cluster) -> new TornNetwork(network, cluster).run(rounds));
    }

    private void run(int rounds) throws Exception {
        EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
        load.start();
        RecordedLoad recorded = new RecordedLoad(cluster.clients(), cluster.addresses(), 4, 2).start();
        var unused = new Insistence(cluster.clients(), cluster.addresses())
                .insist(stub -> stub.leaseGrant(LeaseGrantRequest.newBuilder()
                        .setId(LEASE)
                        .setTtlMs(3_600_000)
                        .build()));
        for (Shape shape : Shape.ALL) {
            List<Long> gaps = new ArrayList<>();
            List<Long> refusals = new ArrayList<>();
            long terms = 0;
            for (int round = 0; round < rounds; round++) {
                long before = term();
                tear(shape, gaps, refusals);
                terms = Math.max(terms, term() - before);
            }
            Figures.tell(
                    shape.row(),
                    "%s, %d times: longest time without a grant %s ms; %d requests to the minority refused after %s ms,"
                            + " none granted; at most %d new terms",
                    shape.name(),
                    rounds,
                    Figures.percentiles(gaps),
                    refusals.size(),
                    Figures.percentiles(refusals),
                    terms);
        }
        load.stop();
        recorded.stop();
        events.catchUp();
        events.verify(load);
        cluster.assertStatesEqual();
        recorded.assertLinearizable();
        Figures.tell(
                "T9",
                "%d grants and %d recorded operations, nothing lost",
                load.grants().size(),
                recorded.size());
    }

    private void tear(Shape shape, List<Long> gaps, List<Long> refusals) throws Exception {
        KillTest.progress(load, 50);
        List<NodeProcess> order = fromLeader();
        long cut = System.nanoTime();
        if (shape.equals(Shape.NO_CLIENTS)) {
            network.cutFromClients(order.get(0).name());
        } else {
            network.cut((from, to) -> shape.cut().test(place(order, from), place(order, to)));
        }
        Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
        Thread asking = new Thread(() -> askMinority(order.subList(0, shape.minority()), refusals, faults));
        asking.start();
        KillTest.progress(load, GRANTS_WHILE_TORN);
        gaps.add(FailoverTest.longestGap(load, cut) / 1_000_000);
        asking.join();
        assertThat(faults).isEmpty();
        network.heal();
        cluster.awaitAll();
    }

    private static int place(List<NodeProcess> order, int node) {
        for (int i = 0; i < order.size(); i++) {
            if (Network.number(order.get(i).name()) == node) {
                return i;
            }
        }
        throw new IllegalArgumentException("n" + node);
    }

    private List<NodeProcess> fromLeader() {
        NodeProcess leader = cluster.awaitLeader();
        List<NodeProcess> order = new ArrayList<>(List.of(leader));
        cluster.running().stream().filter(node -> node != leader).forEach(order::add);
        return order;
    }

    private long term() {
        return await().atMost(PATIENCE)
                .until(() -> cluster.leader().flatMap(cluster::status), found -> found.isPresent())
                .map(StatusResponse::getHeader)
                .orElseThrow()
                .getRaftTerm();
    }

    /** Asks for keys that are free, after the cut: nobody may get one, and everybody must be told so. */
    private void askMinority(List<NodeProcess> minority, List<Long> refusals, Queue<Throwable> faults) {
        for (int i = 0; i < REFUSALS; i++) {
            for (NodeProcess node : minority) {
                long called = System.nanoTime();
                try {
                    var answer = cluster.clients()
                            .locks(node.clientAddress())
                            .tryLock(TryLockRequest.newBuilder()
                                    .setName("asked/" + node.name() + "/" + called)
                                    .setLeaseId(LEASE)
                                    .build());
                    if (answer.getAcquired()) {
                        faults.add(new AssertionError("granted without a majority by " + node.name()));
                    }
                } catch (StatusRuntimeException e) {
                    refusals.add((System.nanoTime() - called) / 1_000_000);
                }
            }
        }
    }
}
