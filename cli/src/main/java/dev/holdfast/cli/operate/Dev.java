package dev.holdfast.cli.operate;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Logging;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.consensus.LogException;
import dev.holdfast.server.Node;
import dev.holdfast.server.settings.NodeSettings;
import dev.holdfast.server.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast dev}: a local cluster in one process. */
@Command(
        name = "dev",
        description = {
            "Runs a local cluster in this process: real nodes, a real replicated log on disk, on loopback.",
            "",
            "Data is kept in a temporary directory and removed at the end unless --data is given. Ctrl-C stops it."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast dev", "  holdfast dev --nodes 1 --data ./data --port 5600"})
final class Dev implements Callable<Integer> {
    private static final int PORTS_PER_NODE = 10;
    private static final long READY_LOOK_MILLIS = 20;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "3", description = "1, 3 or 5 (default: 3)")
    private int size;

    @Option(names = "--data", paramLabel = "DIR", description = "keep the data here, and go on with what is there")
    private @Nullable Path data;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "4600",
            description = "client port of the first node; the others follow in steps of ten (default: 4600)")
    private int port;

    private final Streams streams;
    private final List<Node> nodes = new ArrayList<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile String failed = "";

    Dev(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (size != 1 && size != 3 && size != 5) {
            throw new ParameterException(spec.commandLine(), "--nodes: must be 1, 3 or 5, was " + size);
        }
        Logging.errorsOnly();
        Path directory = data == null ? Files.createTempDirectory("holdfast-dev-") : data;
        Thread hook = new Thread(() -> end(directory), "holdfast-dev-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            start(directory);
            say(directory);
            stopped.await();
        } catch (SettingsException | LogException | IllegalStateException | IOException e) {
            failed = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            // The one way to end it but for a signal: a test, or an embedding program.
        }
        end(directory);
        Runtime.getRuntime().removeShutdownHook(hook);
        if (!failed.isEmpty()) {
            streams.err().println("holdfast dev: " + failed);
            return ExitCode.FAULT;
        }
        return ExitCode.OK;
    }

    private void start(Path directory) throws IOException, InterruptedException {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int first = port + i * PORTS_PER_NODE;
            members.add("n" + (i + 1) + "=127.0.0.1:" + first + "/127.0.0.1:" + (first + 1));
        }
        for (int i = 0; i < size; i++) {
            int first = port + i * PORTS_PER_NODE;
            String name = "n" + (i + 1);
            NodeSettings settings = NodeSettings.read(
                    Optional.empty(),
                    Map.of(),
                    Map.of(
                            "node.name",
                            name,
                            "data.dir",
                            directory.resolve(name).toString(),
                            "client.address",
                            "127.0.0.1:" + first,
                            "peer.address",
                            "127.0.0.1:" + (first + 1),
                            "election.profile",
                            "fast",
                            "cluster.members",
                            String.join(", ", members)));
            nodes.add(new Node(settings, (message, cause) -> {
                failed = message;
                stopped.countDown();
            }));
        }
        // Together: each waits for the others to form the cluster.
        ExecutorService starters = Executors.newFixedThreadPool(size);
        List<Future<?>> starting = new ArrayList<>();
        for (Node node : nodes) {
            starting.add(starters.submit(() -> {
                node.start();
                return node;
            }));
        }
        starters.shutdown();
        for (Future<?> started : starting) {
            try {
                started.get();
            } catch (ExecutionException e) {
                starters.shutdownNow();
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw new IOException(String.valueOf(cause.getMessage()), cause);
            }
        }
        while (!nodes.stream().allMatch(Node::isReady) && failed.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(READY_LOOK_MILLIS);
        }
    }

    private void say(Path directory) {
        String first = nodes.get(0).self().clientAddress();
        String all = String.join(
                ",", nodes.stream().map(node -> node.self().clientAddress()).toList());
        streams.out()
                .println("Holdfast is ready: " + size + (size == 1 ? " node" : " nodes") + " in this process, "
                        + (size == 1 ? "not replicated" : "replicated over loopback") + ".");
        streams.out().println("  clients (gRPC)  " + all);
        streams.out().println("  data            " + directory + (data == null ? " (removed at the end)" : ""));
        streams.out().println();
        streams.out().println("Try, in another terminal:");
        streams.out().println("  ./holdfast status --endpoints " + all);
        streams.out().println("  ./holdfast snapshot save backup.hfb --endpoints " + first);
        streams.out().println("  curl http://" + first + "/metrics");
        streams.out().println();
        streams.out().println("Ctrl-C stops it.");
        streams.out().flush();
    }

    private synchronized void end(Path directory) {
        for (Node node : nodes) {
            node.close();
        }
        nodes.clear();
        if (data == null) {
            delete(directory);
        }
    }

    private void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            streams.err().println("holdfast dev: could not remove " + directory + ": " + e);
        }
    }
}
