package dev.holdfast.cli.operate;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Logging;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.consensus.LogException;
import dev.holdfast.server.Node;
import dev.holdfast.server.settings.NodeSettings;
import dev.holdfast.server.settings.source.Setting;
import dev.holdfast.server.settings.source.SettingsException;
import dev.holdfast.server.settings.source.SettingsReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/** {@code holdfast server}: one node of a cluster. */
@Command(
        name = "server",
        description = {
            "Runs one node of a cluster until it is stopped.",
            "",
            "Settings come from a file of key = value lines; HOLDFAST_ environment variables override it, and the "
                    + "options below override both. SIGTERM hands over leadership and shuts down cleanly."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast server --node-name n1 --data-dir /var/lib/holdfast",
            "  holdfast server --config /etc/holdfast.conf",
            "  holdfast server --config n4.conf --cluster-join db1:4600 --cluster-replaces n2"
        })
final class ServerCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);

    private final Streams streams;
    private @Nullable Path config;
    private final Map<String, String> flags = new HashMap<>();

    ServerCommand(Streams streams) {
        this.streams = streams;
    }

    /** The command with one option for each setting there is. */
    static CommandSpec spec(Streams streams) {
        ServerCommand command = new ServerCommand(streams);
        CommandSpec spec = CommandSpec.forAnnotatedObject(command);
        spec.addOption(OptionSpec.builder("--config")
                .paramLabel("FILE")
                .type(Path.class)
                .description("the settings file")
                .setter(new ISetter() {
                    @Override
                    @SuppressWarnings("unchecked")
                    public <T> T set(T value) {
                        command.config = (Path) value;
                        return value;
                    }
                })
                .build());
        for (Setting setting : Setting.values()) {
            spec.addOption(OptionSpec.builder("--" + setting.key().replace('.', '-'))
                    .paramLabel("VALUE")
                    .type(String.class)
                    .description(setting.meaning().replace("%", "%%")
                            + setting.byDefault()
                                    .filter(value -> !value.isEmpty())
                                    .map(value -> " (default: " + value + ")")
                                    .orElse(""))
                    .setter(new ISetter() {
                        @Override
                        public <T> T set(T value) {
                            if (value != null) {
                                command.flags.put(setting.key(), value.toString());
                            }
                            return value;
                        }
                    })
                    .build());
        }
        return spec;
    }

    @Override
    public Integer call() throws InterruptedException {
        NodeSettings settings;
        try {
            settings = SettingsReader.read(Optional.ofNullable(config), System.getenv(), flags);
        } catch (SettingsException e) {
            e.problems().forEach(problem -> streams.err().println("holdfast server: " + problem));
            return ExitCode.USAGE;
        }
        Logging.toStandardError(settings.output());
        FailStop failStop = new FailStop();
        Thread.setDefaultUncaughtExceptionHandler(failStop);
        CountDownLatch stopped = new CountDownLatch(1);
        try {
            Node node = new Node(settings, failStop::giveUp);
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> {
                                node.drain();
                                node.close();
                                stopped.countDown();
                            },
                            "holdfast-stop"));
            node.start();
            streams.out()
                    .println("holdfast " + node.self().id() + " serves "
                            + (node.self().isFull() ? node.self().clientAddress() : "as a witness"));
            streams.out().flush();
            warnOfMemory();
        } catch (IOException | LogException | IllegalStateException e) {
            failStop.giveUp(String.valueOf(e.getMessage()), null);
        } catch (RuntimeException | Error e) {
            failStop.giveUp("the node could not start: " + e, e);
        }
        stopped.await();
        return ExitCode.OK;
    }

    /** Only the JVM itself sees every want of memory: others swallow it, or cannot act on it. */
    private static void warnOfMemory() {
        if (ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .noneMatch(flag -> flag.contains("OnOutOfMemoryError") && !flag.contains("Heap"))) {
            LOG.warn("the JVM was started without -XX:+ExitOnOutOfMemoryError: a node that runs out of memory may look"
                    + " alive and do nothing");
        }
    }
}
