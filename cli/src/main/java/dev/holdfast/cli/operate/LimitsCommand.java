package dev.holdfast.cli.operate;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.Table;
import dev.holdfast.protocol.v1.FeatureLevelRaiseRequest;
import dev.holdfast.protocol.v1.LimitInfo;
import dev.holdfast.protocol.v1.LimitListRequest;
import dev.holdfast.protocol.v1.LimitSetRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast limits}: what the cluster allows. */
@Command(
        name = "limits",
        description = {
            "Lists the limits of the cluster, and changes them.",
            "",
            "Limits are part of the replicated state: the same on every node, and kept in backups."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast limits",
            "  holdfast limits set TTL_MIN_MILLIS 500",
            "  holdfast limits raise-feature-level 2"
        })
final class LimitsCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection = new Connection();

    @Mixin
    private final Output output;

    private final Streams streams;

    LimitsCommand(Streams streams) {
        this.streams = streams;
        this.output = new Output(streams);
    }

    @Override
    public Integer call() {
        List<LimitInfo> limits;
        try (Nodes nodes = connection.nodes()) {
            limits = nodes.admin(admin -> admin.limitList(LimitListRequest.getDefaultInstance()))
                    .getLimitsList();
        }
        Table table = new Table("LIMIT", "VALUE", "INITIAL", "LOWEST", "HIGHEST");
        limits.forEach(limit -> table.row(
                limit.getName(), limit.getValue(), limit.getInitial(), limit.getLowest(), limit.getHighest()));
        output.show(
                table,
                Map.of("limits", limits),
                limits.stream().map(LimitInfo::getName).toList());
        return ExitCode.OK;
    }

    @Command(name = "set", description = "Changes a limit for the whole cluster.", mixinStandardHelpOptions = true)
    int set(
            @Parameters(index = "0", paramLabel = "LIMIT", description = "the limit's name") String name,
            @Parameters(index = "1", paramLabel = "VALUE", description = "its new value") long value,
            @Mixin Connection way) {
        LimitSetRequest request =
                LimitSetRequest.newBuilder().setName(name).setValue(value).build();
        try (Nodes nodes = way.nodes()) {
            var unused = nodes.admin(admin -> admin.limitSet(request));
        }
        streams.out().println(name + " is " + value + " now.");
        return ExitCode.OK;
    }

    @Command(
            name = "raise-feature-level",
            description = {
                "Enables features of a newer version, once every node runs it.",
                "This cannot be undone: an older version cannot read what is written from then on."
            },
            mixinStandardHelpOptions = true)
    int raiseFeatureLevel(
            @Parameters(paramLabel = "LEVEL", description = "the new level; 'holdfast doctor' says which is possible")
                    int level,
            @Mixin Connection way) {
        FeatureLevelRaiseRequest request =
                FeatureLevelRaiseRequest.newBuilder().setLevel(level).build();
        try (Nodes nodes = way.nodes()) {
            var unused = nodes.admin(admin -> admin.featureLevelRaise(request));
        }
        streams.out().println("The feature level is " + level + " now.");
        return ExitCode.OK;
    }
}
