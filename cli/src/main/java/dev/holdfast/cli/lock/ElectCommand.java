package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.run.UnderLock;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.LockCall;
import dev.holdfast.client.api.Election;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast elect}: stands in an election, and runs a command while it leads. */
@Command(
        name = "elect",
        description = {
            "Waits until this candidate leads, then runs a command while it leads; without a command, leads until "
                    + "Ctrl-C.",
            "",
            "The election NAME is the lock election/NAME, and VALUE is what the others see of the leader: 'holdfast "
                    + "show election/NAME'. The command finds the epoch, which is the fencing token, in "
                    + "HOLDFAST_FENCING_TOKEN. When it ends, so does the leadership; when the leadership is lost, the "
                    + "command is ended as with 'holdfast run'. Java clients can take part in the same election."
        },
        customSynopsis = "holdfast elect NAME VALUE [OPTIONS] [-- CMD [ARG...]]",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes (otherwise the command's own):%n",
        exitCodeList = {
            "64:the command line is wrong",
            "69:no node answers",
            "76:the leadership was lost",
            "77:the cluster does not permit it",
            "128+N:ended by signal N"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast elect scheduler $(hostname):8080 -- ./scheduler", "  holdfast elect scheduler node-7"})
final class ElectCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "the election")
    private String name = "";

    @Parameters(index = "1", paramLabel = "VALUE", description = "what the others see of this leader")
    private String value = "";

    @Parameters(index = "2..*", paramLabel = "CMD", description = "the command and its arguments, after --")
    private List<String> command = List.of();

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            defaultValue = "15s",
            description =
                    "how long the cluster keeps the leadership when it hears nothing more from this process (default: "
                            + "15s)")
    private Duration ttl = Duration.ZERO;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "when the leadership is lost: time between SIGTERM and SIGKILL (default: 5s)")
    private Duration grace = Duration.ZERO;

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    ElectCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        try (HoldfastClient client = connection.client().sessionTtl(ttl).build()) {
            LockCall candidature = client.lock(Election.KEY_PREFIX + name)
                    .purpose("election")
                    .metadata(value.getBytes(StandardCharsets.UTF_8));
            UnderLock leading = new UnderLock(streams, spec.qualifiedName(), grace, null);
            if (!command.isEmpty()) {
                return leading.run(() -> Optional.of(candidature.acquire()), command);
            }
            return leading.stay(() -> Optional.of(candidature.acquire()), grant -> {
                streams.out().println(Printable.of(value + " leads " + name) + ", epoch " + grant.token());
                streams.out().flush();
            });
        }
    }
}
