package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.TransferLeadershipRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What {@link DriftTest} runs in a process and a network of its own: three nodes and some clients, each in a process with
 * clocks that run fast or slow, that hand many locks to each other. Now and then a client is cut off for longer than its
 * lease.
 */
final class Drift {
    /** Of the nodes, and of the clients: the widest that is promised to do no harm. */
    private static final List<String> NODES = List.of("1.004", "0.996", "1.000");

    private static final List<String> WITHIN = List.of("0.996", "1.004", "0.995", "1.0045");
    private static final List<String> BEYOND = List.of("0.5", "1.0");

    private static final Map<String, String> SETTINGS = Map.of("insecure", "true");
    private static final int KEYS = 120;
    private static final int FEW = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration TTL = Duration.ofSeconds(2);
    /** So long that one percent of it is more than the margins that are there for other reasons. */
    private static final Duration LONG_TTL = Duration.ofSeconds(20);

    private static final Duration MORE = Duration.ofMillis(1_500);
    private static final Duration CALM = Duration.ofMillis(1_500);
    /** How well a rate is known: over some seconds, with two clocks that are read within 50 µs. */
    private static final double EXACT = 0.0001;

    private final Network network;
    private final Cluster cluster;
    private final Path fakeTime;
    private final Path shim;

    private Drift(Network network, Cluster cluster, Path fakeTime, Path shim) {
        this.network = network;
        this.cluster = cluster;
        this.fakeTime = fakeTime;
        this.shim = shim;
    }

    /** Takes the directory to work in, libfaketime, and how many hand-offs at the end of a time are wanted. */
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        Path fakeTime = Path.of(arguments[1]);
        int wanted = Integer.parseInt(arguments[2]);
        int wantedOfLong = Integer.parseInt(arguments[3]);
        Path shim = NativeLibrary.compile(root, "drift");
        Stage.run(
                root,
                unused -> new Network(NODES.size() + WITHIN.size()),
                (directory, network) -> {
                    Cluster cluster =
                            Cluster.prepare(directory, network.places().subList(0, NODES.size()), SETTINGS, List.of());
                    for (int i = 0; i < NODES.size(); i++) {
                        cluster.node("n" + (i + 1)).with(drifting(fakeTime, shim, NODES.get(i)));
                    }
                    return cluster;
                },
                (network, cluster) -> new Drift(network, cluster, fakeTime, shim).run(wanted, wantedOfLong));
    }

    static Map<String, String> drifting(Path fakeTime, Path shim, String rate) {
        return Map.of("LD_PRELOAD", fakeTime + ":" + shim, "FAKETIME", "+0 x" + rate);
    }

    private void run(int wanted, int wantedOfLong) throws Exception {
        within("within/", wanted, TTL);
        if (wantedOfLong > 0) {
            within("long/", wantedOfLong, LONG_TTL);
        }

        // What would be seen if the promise were broken: for such a clock it does not hold. While that client is
        // connected
        // it is told of the end, so it takes one that is cut off.
        HandOffs beyond = new HandOffs(play("beyond/", BEYOND, FEW, TTL));
        Figures.tell(
                "T16",
                "a client's clock × %s: %d hand-offs, %d overlaps, the longest %d ms",
                BEYOND.get(0),
                beyond.count(),
                beyond.overlaps().size(),
                -beyond.leastMillis());
        assertThat(beyond.overlaps()).as("overlaps that must be seen").isNotEmpty();
        cluster.assertStatesEqual();
    }

    private void within(String prefix, int wanted, Duration ttl) throws Exception {
        HandOffs within = new HandOffs(play(prefix, WITHIN, wanted, ttl));
        Figures.tell(
                "T16",
                "clocks of clients × %s, of nodes × %s, TTL %d s: %d hand-offs, %d of them because the time was over (%d"
                        + " of a hold, %d of a lease): %d overlaps; then nobody believed for %d ms at the least",
                WITHIN,
                NODES,
                ttl.toSeconds(),
                within.count(),
                within.byTime(),
                within.byTime() - within.byLease(),
                within.byLease(),
                within.overlaps().size(),
                within.leastMillis());
        assertThat(within.overlaps()).isEmpty();
    }

    /** Lets clients with these clocks work until there were so many hand-offs because the time was over. */
    private List<HandOffs.Belief> play(String prefix, List<String> rates, int wanted, Duration ttl) throws Exception {
        List<DriftingClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < rates.size(); i++) {
                clients.add(new DriftingClient(
                        network.places().get(NODES.size() + i).launcher(),
                        drifting(fakeTime, shim, rates.get(i)),
                        List.of(
                                shim.toString(),
                                String.join(",", cluster.addresses()),
                                prefix,
                                Integer.toString(KEYS),
                                Long.toString(ttl.toMillis()))));
            }
            await().atMost(PATIENCE)
                    .until(() -> clients.stream()
                            .noneMatch(client -> client.beliefs().isEmpty()));
            for (int turn = 0; !isEnough(new HandOffs(beliefs(clients)), wanted); turn++) {
                network.cutOff("n" + (NODES.size() + 1 + turn % rates.size()));
                pass(ttl.plus(MORE));
                network.heal();
                pass(CALM);
                if (turn % 5 == 4) {
                    handOn();
                }
            }
            for (int i = 0; i < rates.size(); i++) {
                assertThat(clients.get(i).stop())
                        .as("how fast its clock ran")
                        .isBetween(Double.parseDouble(rates.get(i)) - EXACT, Double.parseDouble(rates.get(i)) + EXACT);
            }
            return beliefs(clients);
        } finally {
            for (DriftingClient client : clients) {
                client.close();
            }
        }
    }

    private static boolean isEnough(HandOffs handOffs, int wanted) {
        return handOffs.byTime() >= wanted && handOffs.byLease() >= FEW;
    }

    private static List<HandOffs.Belief> beliefs(List<DriftingClient> clients) {
        return clients.stream().flatMap(client -> client.beliefs().stream()).toList();
    }

    /** So that every node's clock is once the cluster's. */
    private void handOn() {
        try {
            var unused = cluster.clients()
                    .admin(cluster.awaitLeader().clientAddress())
                    .transferLeadership(TransferLeadershipRequest.newBuilder()
                            .setTo(cluster.follower().name())
                            .build());
        } catch (StatusRuntimeException e) {
            // Then another time.
        }
    }

    /** How long it lasts is what is tried. */
    private static void pass(Duration time) {
        await().pollDelay(time).atMost(time.plusMinutes(1)).until(() -> true);
    }
}
