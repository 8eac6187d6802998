package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast release}: gives back what {@code acquire} took. */
@Command(
        name = "release",
        description = "Gives back a lock that 'holdfast acquire' took.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the lock was held until now and is released",
            "64:that is not a grant",
            "69:no node answers",
            "76:the lock had ended before: others may have held it since"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast release \"$grant\"", "  echo \"$grant\" | holdfast release -"})
final class ReleaseCommand implements Callable<Integer> {
    @Mixin
    private final GrantArgument argument = new GrantArgument();

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    ReleaseCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (HoldfastClient client = connection.client().build();
                Grant grant = argument.adopt(client, streams)) {
            Grant.Outcome outcome = grant.release();
            if (outcome != Grant.Outcome.RELEASED) {
                throw new Failure(
                        ExitCode.LOST,
                        outcome + ": the grant of " + grant.key() + " had ended; acquire the lock " + "again");
            }
            streams.out().println("released " + Printable.of(grant.key()) + ", token " + grant.token());
            return ExitCode.OK;
        }
    }
}
