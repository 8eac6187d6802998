package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.protocol.v1.ForceReleaseRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast break}: takes a lock from its holder. */
@Command(
        name = "break",
        description = {
            "Takes a lock away from its holder, who gets the loss REVOKED, with who did it and why.",
            "",
            "It names one grant by its token, so that it cannot hit another holder than the one you looked at. A "
                    + "holder that is cut off or paused may go on working: only a guard that compares tokens keeps it "
                    + "out. It does not ask for confirmation."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the lock was taken away",
            "1:the lock is not held by this grant",
            "64:the command line is wrong",
            "69:no node answers",
            "77:the cluster does not permit it"
        },
        footerHeading = "%nExample:%n",
        footer = {"  holdfast break orders/42 --grant 1729 --reason 'host web-1 is gone, see INC-7'"})
final class BreakCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "the lock's key")
    private String key = "";

    @Option(
            names = "--grant",
            paramLabel = "TOKEN",
            required = true,
            description = "the grant's token, as shown by 'holdfast show'")
    private long grant;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            required = true,
            description = "why; recorded in the history and sent to the holder")
    private String reason = "";

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    BreakCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        ForceReleaseRequest request = ForceReleaseRequest.newBuilder()
                .setName(key)
                .setFencingToken(grant)
                .setBy(System.getProperty("user.name", "somebody"))
                .setReason(reason)
                .build();
        boolean released;
        try (Nodes nodes = connection.nodes()) {
            released = nodes.admin(admin -> admin.forceRelease(request)).getReleased();
        }
        if (!released) {
            throw new Failure(
                    ExitCode.DIFFERENT,
                    key + " is not held by grant " + grant + "; 'holdfast show' says who holds it now");
        }
        streams.out().println("took " + Printable.of(key) + " from grant " + grant);
        return ExitCode.OK;
    }
}
