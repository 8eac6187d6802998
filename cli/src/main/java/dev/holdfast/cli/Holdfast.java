package dev.holdfast.cli;

import dev.holdfast.cli.demo.Demo;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.exit.Failures;
import dev.holdfast.cli.lock.LockCommands;
import dev.holdfast.cli.operate.OperateCommands;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.talk.TalkCommands;
import dev.holdfast.transcript.step.Spelling;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code holdfast} command. */
@Command(
        name = "holdfast",
        description = "A distributed lock manager.",
        mixinStandardHelpOptions = true,
        versionProvider = Holdfast.Version.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast dev             a local cluster of three nodes, in one process",
            "  holdfast talk            a lock machine to talk to, in memory",
            "  holdfast server --help   one node of a cluster",
            "  holdfast play story.txt  run a transcript and check its results",
            "  holdfast help play       all options of a command"
        },
        subcommands = CommandLine.HelpCommand.class)
public final class Holdfast implements Runnable {
    /** Commands that tell of all the others. */
    private static final Set<String> ABOUT_ALL = Set.of("completion", "reference");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    private Holdfast() {}

    public static void main(String[] args) {
        boolean terminal = isTerminal();
        // What a terminal shows depends on where it stands; a file or a pipe is read by anyone.
        Charset charset = terminal ? Charset.defaultCharset() : StandardCharsets.UTF_8;
        Streams streams = new Streams(
                new BufferedReader(new InputStreamReader(System.in, charset)),
                new PrintWriter(System.out, true, charset),
                new PrintWriter(System.err, true, charset),
                terminal,
                CommandLine.Help.Ansi.AUTO.enabled());
        System.exit(run(streams, args));
    }

    /** Runs the command and gives its exit code. */
    public static int run(Streams streams, String... args) {
        CommandLine command = new CommandLine(new Holdfast());
        asked(commands(streams), args).forEach(command::addSubcommand);
        command.getSubcommands().values().forEach(each -> each.getCommandSpec().versionProvider(new Version()));
        // Settings reach the commands that are there already.
        return command.setOut(streams.out())
                .setErr(streams.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        streams.coloured() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, Holdfast::duration)
                .setParameterExceptionHandler((wrong, said) -> explain(wrong))
                .setExecutionExceptionHandler((thrown, failed, said) -> giveUp(thrown, failed))
                .execute(args);
    }

    private static List<Object> commands(Streams streams) {
        return Stream.of(
                        LockCommands.all(streams),
                        OperateCommands.all(streams),
                        Demo.all(streams),
                        TalkCommands.all(streams))
                .flatMap(List::stream)
                .toList();
    }

    /** The command that is asked for, or all: to describe one to picocli takes time, and to describe all much of it. */
    private static List<Object> asked(List<Object> commands, String... args) {
        List<Object> named = commands.stream()
                .filter(command -> args.length > 0 && args[0].equals(name(command)) && !ABOUT_ALL.contains(args[0]))
                .toList();
        return named.isEmpty() ? commands : named;
    }

    private static String name(Object command) {
        if (command instanceof CommandSpec described) {
            return described.name();
        }
        Command annotation = command.getClass().getAnnotation(Command.class);
        return annotation == null ? "" : annotation.name();
    }

    private static Duration duration(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** One line, whatever was thrown: who uses a command is not helped by where in it something went wrong. */
    private static int giveUp(Exception thrown, CommandLine failed) {
        Failure failure = Failures.of(thrown);
        failed.getErr().println(failed.getCommandSpec().qualifiedName() + ": " + Printable.of(failure.line()));
        return failure.code();
    }

    /** What is wrong in a line or two; who wants all of the usage can ask for it. */
    private static int explain(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + wrong.getMessage());
        if (wrong instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            String said = unmatched.getUnmatched().get(0);
            command.getSubcommands().keySet().stream()
                    .min(Comparator.comparingInt(known -> Spelling.distance(known, said)))
                    .ifPresent(nearest -> command.getErr().println("Did you mean: " + name + " " + nearest + "?"));
        } else if (wrong instanceof UnmatchedArgumentException unmatched) {
            String said = unmatched.getUnmatched().get(0);
            command.getCommandSpec().optionsMap().keySet().stream()
                    .min(Comparator.comparingInt(known -> Spelling.distance(known, said)))
                    .ifPresent(nearest -> command.getErr().println("Did you mean: " + nearest + "?"));
        }
        command.getErr().println("See '" + name + " --help'.");
        return ExitCode.USAGE;
    }

    /** From JDK 22 on there is always a console; a pipe then only looks less tidy. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        return System.console() != null;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do, for example: holdfast dev");
    }

    /** The version of the jar; there is none while running from classes. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Optional.ofNullable(Holdfast.class.getPackage().getImplementationVersion())
                    .orElse("development");
            return new String[] {"holdfast " + version};
        }
    }
}
