package dev.holdfast.chaos;

import dev.holdfast.chaos.NodeProcess.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * A network of its own for every node, all joined by this process, which must itself be in a network namespace that was
 * made for it: see {@link Alone}.
 *
 * <p>This process forwards between the nodes' networks, and stops doing so between those that are to be cut off from
 * each other; it can reach all of them always. The namespaces have no names: each lives as long as a process in it, and
 * the one that keeps it ends when this one does, however that comes about.
 */
final class Network implements AutoCloseable {
    private static final int CLIENT_PORT = 4600;
    private static final int PEER_PORT = 4601;
    private static final Path OWN = Path.of("/proc/self/ns/net");

    private final List<Process> keepers = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<String> cuts = new ArrayList<>();

    /** Whether this machine lets us make such networks. */
    static boolean isPermitted() throws IOException, InterruptedException {
        String trial = "ip link add trial type veth peer name other"
                + " && ip rule add from 10.0.1.0/24 to 10.0.2.0/24 blackhole"
                + " && echo 1 > /proc/sys/net/ipv4/ip_forward";
        try {
            return new ProcessBuilder(command(List.of("sh", "-c", trial)))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // there is no unshare
        }
    }

    /** What runs a command in a network namespace of its own. */
    static List<String> command(List<String> command) {
        List<String> whole = new ArrayList<>(List.of("unshare", "--net"));
        whole.addAll(command);
        return whole;
    }

    Network(int nodes) throws IOException, InterruptedException {
        prepare();
        for (int node = 1; node <= nodes; node++) {
            join(node, keeper());
        }
    }

    private Network() throws IOException, InterruptedException {
        prepare();
    }

    /** The same over links that lose and delay what they carry; perfect ones at first. */
    static Network overLinks(int nodes, Path directory) throws IOException, InterruptedException {
        Path program = NativeLibrary.program(directory, "link");
        Network network = new Network();
        for (int node = 1; node <= nodes; node++) {
            network.links.add(new Link(program, network.keeper().pid(), node));
        }
        return network;
    }

    private static void prepare() throws IOException, InterruptedException {
        run("", "ip", "link", "set", "lo", "up");
        Files.writeString(Path.of("/proc/sys/net/ipv4/ip_forward"), "1");
    }

    private Process keeper() throws IOException {
        // Ends with its input, and that with this process.
        Process keeper = new ProcessBuilder(command(List.of("cat"))).start();
        keepers.add(keeper);
        Path namespace = Path.of("/proc", Long.toString(keeper.pid()), "ns", "net");
        Path mine = Files.readSymbolicLink(OWN);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> !Files.readSymbolicLink(namespace).equals(mine));
        return keeper;
    }

    private static void join(int node, Process keeper) throws IOException, InterruptedException {
        run("""
                link add to%1$d type veth peer name eth0 netns %2$d
                address add 10.99.%1$d.254/24 dev to%1$d
                link set to%1$d up
                """.formatted(node, keeper.pid()), "ip", "-batch", "-");
        List<String> within = new ArrayList<>(launcher(keeper));
        within.addAll(List.of("ip", "-batch", "-"));
        run("""
                address add 10.99.%1$d.1/24 dev eth0
                link set lo up
                link set eth0 up
                route add default via 10.99.%1$d.254
                """.formatted(node), within.toArray(String[]::new));
    }

    private static List<String> launcher(Process keeper) {
        return List.of("nsenter", "--target", Long.toString(keeper.pid()), "--net");
    }

    /** Where nodes n1, n2 … run. */
    List<Place> places() {
        return IntStream.rangeClosed(1, keepers.size())
                .mapToObj(node ->
                        new Place("10.99." + node + ".1", CLIENT_PORT, PEER_PORT, launcher(keepers.get(node - 1))))
                .toList();
    }

    /** From here on nothing passes between this node, n1, n2 …, and the others; packets vanish without a word. */
    void cutOff(String name) throws IOException, InterruptedException {
        int node = number(name);
        cut((from, to) -> from == node || to == node);
    }

    /** From here on nothing passes from one node to another where that is said. Who asks reaches all of them. */
    void cut(BiPredicate<Integer, Integer> fromTo) throws IOException, InterruptedException {
        List<String> rules = new ArrayList<>();
        for (int from = 1; from <= keepers.size(); from++) {
            for (int to = 1; to <= keepers.size(); to++) {
                if (from != to && fromTo.test(from, to)) {
                    rules.add("from 10.99." + from + ".0/24 to 10.99." + to + ".0/24 blackhole");
                }
            }
        }
        add(rules);
    }

    /** From here on this process, in which the clients are, does not reach a node; the others do. */
    void cutFromClients(String name) throws IOException, InterruptedException {
        add(List.of("iif lo to 10.99." + number(name) + ".0/24 blackhole"));
    }

    /** Makes all links as bad as this. */
    void make(Link.Quality quality) throws IOException {
        for (Link link : links) {
            link.make(quality);
        }
    }

    /** The number of node n1, n2 …. */
    static int number(String name) {
        return Integer.parseInt(name.substring(1));
    }

    private void add(List<String> rules) throws IOException, InterruptedException {
        change("rule add ", rules);
        cuts.addAll(rules);
    }

    /** Everything passes again. */
    void heal() throws IOException, InterruptedException {
        change("rule delete ", cuts);
        cuts.clear();
    }

    private static void change(String what, List<String> rules) throws IOException, InterruptedException {
        StringBuilder batch = new StringBuilder();
        rules.forEach(rule -> batch.append(what).append(rule).append('\n'));
        run(batch.toString(), "ip", "-batch", "-");
    }

    private static void run(String input, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.US_ASCII));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }

    @Override
    public void close() throws IOException {
        for (Link link : links) {
            link.close();
        }
        for (Process keeper : keepers) {
            keeper.getOutputStream().close();
        }
    }
}
