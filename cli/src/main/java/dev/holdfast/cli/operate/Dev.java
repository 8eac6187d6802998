package dev.holdfast.cli.operate;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Logging;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.consensus.LogException;
import dev.holdfast.server.settings.source.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
    private static final int USUAL_PORT = 4600;

    @Option(names = "--nodes", paramLabel = "N", description = "1, 3 or 5 (default: 3, or as in DIR)")
    private @Nullable Integer size;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "keep the data here, and continue with what is already " + "there")
    private @Nullable Path data;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description =
                    "client port of the first node; the others follow in steps of ten (default: 4600, or as in DIR)")
    private @Nullable Integer port;

    private final Streams streams;

    Dev(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        Logging.errorsOnly();
        DevLayout layout = DevLayout.of(Optional.ofNullable(data), given(size), given(port));
        layout.requireFreePorts();
        Path directory = data == null ? Files.createTempDirectory("holdfast-dev-") : data;
        layout.write(directory);
        DevCluster cluster = new DevCluster(directory, layout);
        Thread hook = new Thread(() -> endQuietly(cluster, directory), "holdfast-dev-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        String failure = "";
        try {
            cluster.start();
            say(cluster, layout, directory);
            failure = cluster.awaitFailure();
        } catch (SettingsException | LogException | IllegalStateException | IOException e) {
            failure = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            // The one way to end it but for a signal: a test, or an embedding program.
        }
        end(cluster, directory);
        boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        if (!failure.isEmpty()) {
            throw new Failure(ExitCode.FAULT, failure);
        }
        return ExitCode.OK;
    }

    private static OptionalInt given(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private void say(DevCluster cluster, DevLayout layout, Path directory) {
        int size = layout.nodes();
        String all = String.join(",", cluster.endpoints());
        String where =
                layout.port() == USUAL_PORT ? "" : " -e " + cluster.endpoints().get(0);
        Stream.of(
                        "Holdfast is ready: " + size + (size == 1 ? " node" : " nodes") + " in this process, "
                                + (size == 1 ? "not replicated" : "replicated over loopback") + ".",
                        "  clients (gRPC)  " + all,
                        "  data            " + directory + (data == null ? " (removed at the end)" : ""),
                        "",
                        "Try, in another terminal:",
                        "  ./holdfast run demo" + where + " -- sleep 60    hold a lock while a command runs",
                        "  ./holdfast ls" + where + "                      see who holds what",
                        "  ./holdfast top" + where + "                     see what is busy; q ends it",
                        "",
                        "Ctrl-C stops it.")
                .forEach(streams.out()::println);
        streams.out().flush();
    }

    /** Ctrl-C is how it ends: by itself the JVM would call that a failure. */
    private void endQuietly(DevCluster cluster, Path directory) {
        end(cluster, directory);
        streams.out().println();
        streams.out().println("Stopped.");
        streams.out().flush();
        Runtime.getRuntime().halt(ExitCode.OK);
    }

    private synchronized void end(DevCluster cluster, Path directory) {
        Logging.silence();
        cluster.close();
        if (data == null && Files.exists(directory)) {
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
