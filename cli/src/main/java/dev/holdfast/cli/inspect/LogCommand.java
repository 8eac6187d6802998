package dev.holdfast.cli.inspect;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Ink;
import dev.holdfast.cli.output.Logging;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.Table;
import dev.holdfast.server.StoppedNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast log}: the log of a stopped node. */
@Command(
        name = "log",
        description = "Inspects the log of a stopped node.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "inspect",
        footerHeading = "%nExample:%n",
        footer = "  holdfast log inspect /var/lib/holdfast")
public final class LogCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    /** The command with what is below it. */
    public static CommandSpec spec(Streams streams) {
        CommandSpec log = CommandSpec.forAnnotatedObject(new LogCommand());
        log.addSubcommand("inspect", CommandSpec.forAnnotatedObject(new Inspect(streams)));
        return log;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do: inspect");
    }

    /** {@code holdfast log inspect}. */
    @Command(
            name = "inspect",
            description = {
                "Shows what is in the data directory of a stopped node, and whether it is sound.",
                "",
                "It changes nothing. It shows the node's identity, its term and vote, its snapshots, the log files, "
                        + "and the entries and what they do. Without --from it shows the last entries. A lease's id is "
                        + "a secret, so only its last digits are shown."
            },
            mixinStandardHelpOptions = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:sound", "1:damaged", "64:not the directory of a stopped node"},
            footerHeading = "%nExamples:%n",
            footer = {
                "  holdfast log inspect /var/lib/holdfast",
                "  holdfast log inspect /var/lib/holdfast --from 1200 --to 1300",
                "  holdfast log inspect /var/lib/holdfast --limit 100000 -o json | jq '.entries[].does'"
            })
    static final class Inspect implements Callable<Integer> {
        private static final int MAX_PROBLEMS = 20;

        @Parameters(paramLabel = "DIR", description = "a node's data.dir")
        @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
        private Path directory;

        @Option(
                names = "--from",
                paramLabel = "INDEX",
                defaultValue = "-1",
                description = "show entries from this one " + "on")
        private long from;

        @Option(names = "--to", paramLabel = "INDEX", description = "show entries up to this one")
        private long to = Long.MAX_VALUE;

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "100",
                description = "show at most N entries (default: 100)")
        private int limit;

        @Mixin
        private final Output output;

        private final Streams streams;

        Inspect(Streams streams) {
            this.streams = streams;
            this.output = new Output(streams);
        }

        @Override
        public Integer call() {
            Logging.errorsOnly();
            EntryRange entries = new EntryRange(from, to, limit);
            List<String> unreadable = new ArrayList<>();
            StoppedNode node;
            try {
                node = StoppedNode.read(directory, stored -> {
                    ReadEntry entry = ReadEntry.of(stored);
                    if (!entry.readable() && unreadable.size() < MAX_PROBLEMS) {
                        unreadable.add("entry " + stored.index() + " in " + stored.file() + " at offset "
                                + stored.offset() + " " + entry.words().get(0));
                    }
                    entries.add(entry);
                });
            } catch (IOException e) {
                throw new Failure(ExitCode.USAGE, "cannot read " + directory + ": " + e.getMessage(), e);
            }
            Inspection found = new Inspection(node, entries, unreadable);
            show(found);
            return found.isDamaged() ? ExitCode.DIFFERENT : ExitCode.OK;
        }

        private void show(Inspection found) {
            if (output.format() != Output.Format.TABLE) {
                List<String> files = found.node().log().stream()
                        .flatMap(log -> log.segments().stream())
                        .map(segment -> segment.file().toString())
                        .toList();
                output.show(found.entryTable(), found.json(), files);
                return;
            }
            found.facts().forEach((name, value) -> streams.out().printf("%-10s %s%n", name, Printable.of(value)));
            section(found.snapshots());
            section(found.segments());
            section(found.entryTable());
            if (found.entries().leftOut() > 0) {
                streams.out()
                        .println(found.entries().leftOut() + " more entries are not shown: use --from, --to, --limit");
            }
            Ink ink = new Ink(streams.coloured());
            streams.out().println();
            found.problems().forEach(problem -> streams.out().println(ink.error("damage: " + Printable.of(problem))));
            streams.out().println(found.isDamaged() ? advice() : ink.outcome("No damage was found."));
            streams.out().flush();
        }

        private void section(Table table) {
            if (!table.isEmpty()) {
                streams.out().println();
                table.print(streams.out(), new Ink(streams.coloured()));
            }
        }

        private static String advice() {
            return "A node does not start from a damaged log: replace it (holdfast member replace --help), or, if it was"
                    + " single, restore its whole directory from a backup.";
        }
    }
}
