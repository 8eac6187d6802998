package dev.holdfast.cli.operate;

import dev.holdfast.server.Node;
import dev.holdfast.server.settings.NodeSettings;
import dev.holdfast.server.settings.source.SettingsReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes n1, n2 … of one cluster, in this process, on loopback. */
final class DevCluster implements AutoCloseable {
    private static final long READY_LOOK_MILLIS = 20;

    private final Path directory;
    private final DevLayout layout;
    private final List<Node> nodes = new CopyOnWriteArrayList<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile String failure = "";

    DevCluster(Path directory, DevLayout layout) {
        this.directory = directory;
        this.layout = layout;
    }

    /** Starts all nodes, and returns when each knows a leader. */
    void start() throws IOException, InterruptedException {
        for (int i = 0; i < layout.nodes(); i++) {
            nodes.add(node(i));
        }
        // Together: each waits for the others to form the cluster.
        ExecutorService starters = Executors.newFixedThreadPool(layout.nodes());
        List<Future<?>> starting = nodes.stream()
                .<Future<?>>map(node -> starters.submit(() -> {
                    node.start();
                    return node;
                }))
                .toList();
        starters.shutdown();
        for (Future<?> started : starting) {
            try {
                var unused = started.get();
            } catch (ExecutionException e) {
                starters.shutdownNow();
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw new IOException(String.valueOf(cause.getMessage()), cause);
            }
        }
        while (!nodes.stream().allMatch(Node::isReady) && failure.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(READY_LOOK_MILLIS);
        }
    }

    private Node node(int index) throws IOException {
        String members = IntStream.range(0, layout.nodes())
                .mapToObj(i -> name(i) + "=" + address(layout.clientPort(i)) + "/" + address(layout.peerPort(i)))
                .collect(Collectors.joining(", "));
        NodeSettings settings = SettingsReader.read(
                Optional.empty(),
                Map.of(),
                Map.of(
                        "node.name", name(index),
                        "data.dir", directory.resolve(name(index)).toString(),
                        "client.address", address(layout.clientPort(index)),
                        "peer.address", address(layout.peerPort(index)),
                        "election.profile", "fast",
                        "cluster.members", members));
        return new Node(settings, (message, cause) -> {
            failure = message;
            stopped.countDown();
        });
    }

    private static String name(int index) {
        return "n" + (index + 1);
    }

    private static String address(int port) {
        return "127.0.0.1:" + port;
    }

    List<String> endpoints() {
        return nodes.stream().map(node -> node.self().clientAddress()).toList();
    }

    /** Returns when a node cannot go on, with what it said. */
    String awaitFailure() throws InterruptedException {
        stopped.await();
        return failure;
    }

    /** All at once: one after the other, those that are left would hold elections meanwhile. */
    @Override
    public void close() {
        nodes.parallelStream().forEach(Node::close);
        nodes.clear();
    }
}
