package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.chaos.Link.Quality;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link BadNetworkTest} runs in a process and a network of its own: three nodes whose links lose packets, delay
 * them and let few pass, under load.
 *
 * <p>Between two nodes there are two links, and between a client and a node one.
 */
final class BadNetwork {
    private static final Map<String, String> SETTINGS = Map.of("insecure", "true");
    private static final int WORKERS = 10;

    private final Network network;
    private final Cluster cluster;
    private final Duration each;

    private BadNetwork(Network network, Cluster cluster, Duration each) {
        this.network = network;
        this.cluster = cluster;
        this.each = each;
    }

    /** Takes the directory to work in, and for how many seconds the network is bad in each way. */
    public static void main(String[] arguments) {
        Duration each = Duration.ofSeconds(Integer.parseInt(arguments[1]));
        Stage.run(
                Path.of(arguments[0]),
                root -> Network.overLinks(3, root),
                SETTINGS,
                (network, cluster) -> new BadNetwork(network, cluster, each).run());
    }

    private static Map<String, Quality> qualities() {
        Map<String, Quality> bad = new LinkedHashMap<>();
        bad.put("29 % of the packets between nodes lost", new Quality(16, 0, 0, 0));
        bad.put("75 ± 50 ms between nodes", new Quality(0, 37, 25, 0));
        bad.put("1 Mbit/s", new Quality(0, 0, 0, 1_000_000));
        return bad;
    }

    private void run() throws Exception {
        List<String> addresses = cluster.addresses();
        EventLog events = new EventLog(cluster.clients(), addresses).start();
        Load load = new Load(cluster.clients(), addresses, WORKERS, WORKERS).start();
        RecordedLoad recorded = new RecordedLoad(cluster.clients(), addresses, 4, 2).start();
        KillTest.progress(load, 50);
        for (Map.Entry<String, Quality> bad : qualities().entrySet()) {
            long term = term();
            int before = load.grants().size();
            long begun = System.nanoTime();
            network.make(bad.getValue());
            // How long it lasts is what is tried.
            await().pollDelay(each).atMost(each.plusMinutes(1)).until(() -> true);
            int grants = load.grants().size() - before;
            long gap = FailoverTest.longestGap(load, begun) / 1_000_000;
            network.make(Quality.PERFECT);
            Figures.tell(
                    "T11",
                    "%s for %d s: %d grants, longest time without one %d ms, %d new terms",
                    bad.getKey(),
                    each.toSeconds(),
                    grants,
                    gap,
                    term() - term);
            assertThat(grants).as("grants with %s", bad.getKey()).isPositive();
            KillTest.progress(load, 50);
        }
        load.stop();
        recorded.stop();
        events.catchUp();
        events.verify(load);
        cluster.assertStatesEqual();
        recorded.assertLinearizable();
    }

    private long term() {
        return cluster.status(cluster.awaitLeader()).orElseThrow().getHeader().getRaftTerm();
    }
}
