package dev.holdfast.contract;

import static org.awaitility.Awaitility.await;

import dev.holdfast.server.Node;
import dev.holdfast.server.settings.source.SettingsReader;
import dev.holdfast.testports.TestPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Real nodes in this process, on loopback. */
public final class LocalCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path root;
    private final Map<String, String> settings;
    private final List<Integer> clientPorts;
    private final List<Integer> peerPorts;
    private final Map<Integer, Node> nodes = new HashMap<>();
    private final Map<Integer, String> advertised = new HashMap<>();
    private @Nullable Proxy proxy;

    private LocalCluster(Path root, int size, Map<String, String> settings) throws IOException {
        this.root = root;
        this.settings = settings;
        List<Integer> ports = freePorts(2 * size);
        this.clientPorts = ports.subList(0, size);
        this.peerPorts = ports.subList(size, 2 * size);
    }

    /** Starts nodes and waits until each knows a leader. */
    public static LocalCluster start(Path root, int size) throws IOException, InterruptedException {
        return start(root, size, Map.of());
    }

    /** The same with more settings, for each of them. */
    public static LocalCluster start(Path root, int size, Map<String, String> settings)
            throws IOException, InterruptedException {
        LocalCluster cluster = new LocalCluster(root, size, settings);
        cluster.startAll();
        return cluster;
    }

    /** Starts one node that clients reach only through a proxy. */
    public static LocalCluster behindProxy(Path root) throws IOException, InterruptedException {
        LocalCluster cluster = new LocalCluster(root, 1, Map.of());
        Proxy proxy = new Proxy(cluster.clientPorts.get(0));
        cluster.proxy = proxy;
        cluster.advertised.put(0, "127.0.0.1:" + proxy.port());
        cluster.startAll();
        return cluster;
    }

    /** What stands before the node. */
    public Proxy proxy() {
        return Objects.requireNonNull(proxy, "not behind a proxy");
    }

    private static List<Integer> freePorts(int count) {
        return Stream.generate(TestPorts::next).limit(count).toList();
    }

    private void startAll() throws IOException, InterruptedException {
        List<Thread> starting = new ArrayList<>();
        for (int i = 0; i < clientPorts.size(); i++) {
            Node node = node(i);
            nodes.put(i, node);
            // Founders wait for each other.
            Thread thread = new Thread(() -> startOne(node), "start-" + i);
            thread.start();
            starting.add(thread);
        }
        for (Thread thread : starting) {
            thread.join();
        }
        nodes.values().forEach(node -> await().atMost(PATIENCE).until(node::isReady));
    }

    private static void startOne(Node node) {
        try {
            node.start();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Node node(int index) throws IOException {
        Map<String, String> flags = new HashMap<>(Map.of(
                "node.name",
                "n" + (index + 1),
                "data.dir",
                root.resolve("n" + (index + 1)).toString(),
                "client.address",
                "127.0.0.1:" + clientPorts.get(index),
                "peer.address",
                "127.0.0.1:" + peerPorts.get(index)));
        String seen = advertised.get(index);
        if (seen != null) {
            flags.put("client.advertise", seen);
        }
        if (clientPorts.size() > 1) {
            flags.put(
                    "cluster.members",
                    IntStream.range(0, clientPorts.size())
                            .mapToObj(i -> "n" + (i + 1) + "=127.0.0.1:" + clientPorts.get(i) + "/127.0.0.1:"
                                    + peerPorts.get(i))
                            .collect(Collectors.joining(",")));
            flags.put("election.profile", "fast");
        }
        flags.putAll(settings);
        return new Node(SettingsReader.read(Optional.empty(), Map.of(), flags), (message, cause) -> {
            throw new AssertionError(message, cause);
        });
    }

    /** {@code host:port} of every node, separated by commas. */
    public String endpoints() {
        return String.join(",", addresses());
    }

    public List<String> addresses() {
        return IntStream.range(0, clientPorts.size())
                .mapToObj(i -> advertised.getOrDefault(i, address(i)))
                .toList();
    }

    /** Where a node itself listens. */
    public String address(int index) {
        return "127.0.0.1:" + clientPorts.get(index);
    }

    /** Stops a node at once. */
    public void stop(int index) {
        Node node = nodes.remove(index);
        if (node != null) {
            node.close();
        }
    }

    /** Stops a node in good order. */
    public void drain(int index) {
        Node node = nodes.get(index);
        if (node != null) {
            node.drain();
            stop(index);
        }
    }

    /** Starts a node that was stopped, and waits until it knows a leader. */
    public void restart(int index) throws IOException, InterruptedException {
        Node node = node(index);
        nodes.put(index, node);
        node.start();
        await().atMost(PATIENCE).until(node::isReady);
    }

    @Override
    public void close() {
        Proxy before = proxy;
        if (before != null) {
            before.close();
        }
        // All at once: the engine takes a second to stop, and those that are left would elect a leader meanwhile.
        CompletableFuture.allOf(nodes.values().stream()
                        .map(node -> CompletableFuture.runAsync(node::close, task -> new Thread(task, "stop").start()))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
        nodes.clear();
    }
}
