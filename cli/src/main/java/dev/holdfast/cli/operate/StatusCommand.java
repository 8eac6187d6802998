package dev.holdfast.cli.operate;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.protocol.v1.StatusRequest;
import dev.holdfast.protocol.v1.StatusResponse;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast status}: how each node is. */
@Command(
        name = "status",
        description = "Shows each node's role, how far it has come, and what it holds.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExample:%n",
        footer = "  holdfast status --endpoints 127.0.0.1:4600,127.0.0.1:4610")
final class StatusCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final String ROW = "%-22s %-10s %-10s %6s %10s %10s %8s %8s  %s%n";

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    StatusCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        streams.out().printf(ROW, "ENDPOINT", "NODE", "ROLE", "TERM", "APPLIED", "REVISION", "LEASES", "LOCKS", "LOG");
        boolean allAnswered = true;
        try (Nodes nodes = connection.nodes()) {
            for (String address : connection.addresses()) {
                allAnswered &= ask(nodes, address);
            }
        }
        return allAnswered ? ExitCode.OK : ExitCode.UNAVAILABLE;
    }

    private boolean ask(Nodes nodes, String address) {
        try {
            StatusResponse status =
                    nodes.admin(address, TIMEOUT, admin -> admin.status(StatusRequest.getDefaultInstance()));
            streams.out()
                    .printf(
                            ROW,
                            address,
                            status.getMember().replaceFirst("@.*", ""),
                            status.getRole(),
                            status.getHeader().getRaftTerm(),
                            status.getAppliedIndex(),
                            status.getHeader().getRevision(),
                            status.getLeases(),
                            status.getLocks(),
                            status.getLog());
            status.getWarningsList().forEach(warning -> streams.out().println("  warning: " + warning));
            return true;
        } catch (StatusRuntimeException e) {
            streams.out()
                    .printf(
                            "%-22s does not answer: %s%n",
                            address, e.getStatus().getCode());
            return false;
        }
    }
}
