package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.run.UnderLock;
import dev.holdfast.client.HoldfastClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast run}: runs a command under a lock. */
@Command(
        name = "run",
        description = {
            "Waits for a lock, runs a command while it is held, and gives it back.",
            "",
            "The command finds the fencing token in HOLDFAST_FENCING_TOKEN, the grant's number in HOLDFAST_GRANT and "
                    + "the key in HOLDFAST_KEY. Its exit code is passed on. If the lock is lost, the command and "
                    + "everything it started get SIGTERM, and SIGKILL after the grace period; until then it may still "
                    + "be working: only a guard that compares the token keeps a late write out."
        },
        customSynopsis = "holdfast run NAME [OPTIONS] -- CMD [ARG...]",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes (otherwise the command's own):%n",
        exitCodeList = {
            "64:the command line is wrong",
            "69:no node answers",
            "75:the lock was not free in time",
            "76:the lock was lost while the command ran",
            "77:the cluster does not permit it",
            "127:there is no such command",
            "128+N:the command, or the wait, was ended by signal N"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast run deploy/shop -- ./deploy.sh production",
            "  holdfast run nightly --no-wait -- backup.sh       skip it if it is running elsewhere",
            "  holdfast run gpu -n 4 -w 10m -- python train.py   at most four at a time"
        })
final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "the lock's key")
    private String key = "";

    @Parameters(index = "1..*", paramLabel = "CMD", description = "the command and its arguments, after --")
    private List<String> command = List.of();

    @ArgGroup
    private @Nullable KindOptions kind;

    @ArgGroup
    private @Nullable WaitOptions waiting;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            defaultValue = "15s",
            description = "how long the cluster keeps the lock when it hears nothing more from this process (default: "
                    + "15s)")
    private Duration ttl = Duration.ZERO;

    @Option(
            names = "--purpose",
            paramLabel = "TEXT",
            description = "shown to anyone who asks who holds the lock (default: the command's name)")
    private @Nullable String purpose;

    @Option(
            names = "--on-lost",
            paramLabel = "SHELL",
            description = "if the lock is lost, also run this in the shell, with the reason in HOLDFAST_LOST")
    private @Nullable String onLost;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "when the lock is lost: time between SIGTERM and SIGKILL (default: 5s)")
    private Duration grace = Duration.ZERO;

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    RunCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        if (command.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "Say what to run after --, for example: holdfast run " + key + " -- make");
        }
        // Not its arguments: they may be secrets, and everybody can read a purpose.
        String shown = purpose == null ? String.valueOf(Path.of(command.get(0)).getFileName()) : purpose;
        try (HoldfastClient client = connection.client().sessionTtl(ttl).build()) {
            return new UnderLock(streams, spec.qualifiedName(), grace, onLost)
                    .run(
                            () -> WaitOptions.acquire(
                                    waiting, KindOptions.of(kind, client, key).purpose(shown)),
                            command);
        }
    }
}
