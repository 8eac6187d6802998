package dev.holdfast.cli.operate;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Streams;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast reference}: every command's help as one Markdown page, for {@code docs/cli-reference.md}. */
@Command(
        name = "reference",
        description = "Prints the help of every command as one page of Markdown.",
        hidden = true,
        mixinStandardHelpOptions = true)
final class ReferenceCommand implements Callable<Integer> {
    private static final int WIDTH = 100;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    private final Streams streams;

    ReferenceCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        streams.out().println("# The holdfast command");
        streams.out().println();
        streams.out()
                .println("Every command with all of its options, as `--help` shows them. This page is written by"
                        + " `./holdfast reference > docs/cli-reference.md`; what the commands are for, with real output,"
                        + " is in [cli.md](cli.md), [cli-operators.md](cli-operators.md) and"
                        + " [operations.md](operations.md).");
        print(spec.root().commandLine());
        streams.out().flush();
        return ExitCode.OK;
    }

    private void print(CommandLine command) {
        CommandSpec shown = command.getCommandSpec();
        shown.usageMessage().width(WIDTH);
        streams.out().println();
        streams.out().println("## " + shown.qualifiedName());
        streams.out().println();
        streams.out().println("```");
        streams.out().print(command.getUsageMessage(Ansi.OFF).stripTrailing());
        streams.out().println();
        streams.out().println("```");
        command.getSubcommands().values().stream()
                .filter(below -> !below.getCommandSpec().usageMessage().hidden())
                .forEach(this::print);
    }
}
