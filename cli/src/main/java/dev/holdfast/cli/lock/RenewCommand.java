package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast renew}: keeps what {@code acquire} took for another TTL. */
@Command(
        name = "renew",
        description = "Extends a lock that 'holdfast acquire' took: it lasts for another TTL, counted from now.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the lock is held for another TTL",
            "64:that is not a grant",
            "69:no node answers",
            "76:the lock has ended: stop the work that it protects"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast renew \"$grant\"", "  echo \"$grant\" | holdfast renew -"})
final class RenewCommand implements Callable<Integer> {
    @Mixin
    private final GrantArgument argument = new GrantArgument();

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    RenewCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (HoldfastClient client = connection.client().build()) {
            // Taking it up renews it; exporting it leaves it as it is when this client ends.
            Grant grant = argument.adopt(client, streams);
            String line = Printable.of(grant.key()) + " is held under token " + grant.token() + " for another "
                    + Durations.text(grant.remaining().toMillis());
            var unused = grant.export();
            streams.out().println(line);
            return ExitCode.OK;
        }
    }
}
