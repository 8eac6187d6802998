package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.protocol.v1.Blocker;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.PlanResponse;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast plan}: what would become of a request. */
@Command(
        name = "plan",
        description = "Shows what would happen if these locks were requested now, all or none, without changing "
                + "anything.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:they would be granted at once",
            "1:the request would have to wait",
            "64:the request would be refused",
            "69:no node answers"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast plan orders/42", "  holdfast plan --shared catalog prices"})
final class PlanCommand implements Callable<Integer> {
    /** Long enough for one question; it is given back at once. */
    private static final long LEASE_MILLIS = 10_000;

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "the locks' keys")
    private List<String> keys = List.of();

    @ArgGroup
    private @Nullable KindOptions kind;

    @Mixin
    private final Output output;

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    PlanCommand(Streams streams) {
        this.streams = streams;
        this.output = new Output(streams);
    }

    @Override
    public Integer call() {
        PlanResponse plan = ask();
        switch (output.format()) {
            case TABLE -> print(plan);
            case JSON -> streams.out().println(Json.pretty(plan));
            case NAME -> streams.out().println(plan.getVerdict());
        }
        streams.out().flush();
        return switch (plan.getVerdict()) {
            case WOULD_BE_GRANTED -> ExitCode.OK;
            case WOULD_BE_REFUSED -> ExitCode.USAGE;
            default -> ExitCode.DIFFERENT;
        };
    }

    /** A plan is made for a lease, as the request would be. */
    private PlanResponse ask() {
        long lease = new SecureRandom().nextLong() & Long.MAX_VALUE;
        LockRequest request = LockRequest.newBuilder()
                .setLeaseId(lease)
                .setSeq(1)
                .setTimeoutMs(-1)
                .addAllItems(
                        keys.stream().map(key -> KindOptions.item(kind, key)).toList())
                .build();
        try (Nodes nodes = connection.nodes()) {
            var unused = nodes.locks(service -> service.leaseGrant(LeaseGrantRequest.newBuilder()
                    .setId(lease)
                    .setTtlMs(LEASE_MILLIS)
                    .setClientId("holdfast-plan")
                    .build()));
            try {
                return nodes.locks(service -> service.plan(request));
            } finally {
                var unused2 = nodes.locks(service -> service.leaseRevoke(
                        LeaseRevokeRequest.newBuilder().setId(lease).build()));
            }
        }
    }

    private void print(PlanResponse plan) {
        String line = switch (plan.getVerdict()) {
            case WOULD_BE_GRANTED -> "would be granted at once";
            case WOULD_WAIT ->
                "would wait for " + plan.getBlockedOn() + ", " + plan.getPosition() + " ahead, behind "
                        + plan.getBlockersList().stream().map(PlanCommand::who).collect(Collectors.joining(", "));
            case WOULD_DEADLOCK -> "would deadlock";
            case WOULD_BE_REFUSED -> "would be refused: " + plan.getError().getMessage();
            default -> "unknown: " + plan.getVerdict();
        };
        streams.out().println(Printable.of(line));
    }

    private static String who(Blocker blocker) {
        return blocker.getClientId()
                + (blocker.getFencingToken() == 0 ? " (waits)" : " (token " + blocker.getFencingToken() + ")");
    }
}
