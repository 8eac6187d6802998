package dev.holdfast.cli.doctor;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Ink;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.Table;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast doctor}: what is wrong and what to do. */
@Command(
        name = "doctor",
        description = {
            "Checks every node and the locks, and says what is wrong, why it matters and what to do.",
            "",
            "One address is enough: the other nodes are found. The nodes' states are compared after the same log "
                    + "entry, unless there are so many locks and leases that it would slow the nodes down (--deep "
                    + "compares them anyway)."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:healthy, or notes only", "1:there are problems or warnings"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast doctor",
            "  holdfast doctor --regions n1=eu-1,n2=eu-2,n3=us-1",
            "  holdfast doctor -o name | grep -q NO_QUORUM && page-somebody"
        })
public final class DoctorCommand implements Callable<Integer> {
    @Option(
            names = "--long-hold",
            paramLabel = "TIME",
            defaultValue = "1h",
            description = "warn about a lock held this long while others wait (default: 1h)")
    private Duration longHold = Duration.ofHours(1);

    @Option(
            names = "--many-waiters",
            paramLabel = "N",
            defaultValue = "100",
            description = "warn about a lock with this many waiters (default: 100)")
    private int manyWaiters;

    @Option(
            names = "--locks",
            paramLabel = "N",
            defaultValue = "10000",
            description = "look at no more than N locks (default: 10000)")
    private int mostLocks;

    @Option(
            names = "--regions",
            paramLabel = "NODE=REGION",
            split = ",",
            description = "where each node is: says whether the placement survives the loss of a region")
    private Map<String, String> regions = new LinkedHashMap<>();

    @Option(names = "--deep", description = "compare the nodes' states even if they are large")
    private boolean deep;

    @Mixin
    private final Connection connection = new Connection();

    @Mixin
    private final Output output;

    private final Streams streams;

    public DoctorCommand(Streams streams) {
        this.streams = streams;
        this.output = new Output(streams);
    }

    @Override
    public Integer call() {
        Diagnosis diagnosis;
        try (Nodes nodes = connection.nodes()) {
            diagnosis = Diagnosis.of(
                    new Checkup(connection, nodes).look(mostLocks, deep),
                    new LockRules.Thresholds(longHold, manyWaiters),
                    regions);
        }
        if (output.format() == Output.Format.TABLE) {
            print(diagnosis);
        } else {
            output.show(
                    new Table(),
                    json(diagnosis),
                    diagnosis.findings().stream().map(Finding::name).distinct().toList());
        }
        return diagnosis.isHealthy() ? ExitCode.OK : ExitCode.DIFFERENT;
    }

    private void print(Diagnosis diagnosis) {
        Ink ink = new Ink(streams.coloured());
        streams.out().println(diagnosis.summary());
        for (Finding finding : diagnosis.findings()) {
            String heading = finding.severity() + ": " + Printable.of(finding.what());
            streams.out().println();
            streams.out()
                    .println(finding.severity() == Finding.Severity.NOTE ? ink.heading(heading) : ink.error(heading));
            streams.out().println("  why  " + Printable.of(finding.why()));
            streams.out().println("  do   " + Printable.of(finding.run()));
        }
        if (diagnosis.isHealthy()) {
            streams.out().println();
            streams.out().println(ink.outcome("Healthy: nothing needs to be done."));
        }
        streams.out().flush();
    }

    private static Map<String, Object> json(Diagnosis diagnosis) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("healthy", diagnosis.isHealthy());
        json.put("summary", diagnosis.summary());
        json.put("findings", diagnosis.findings().stream().map(Finding::json).toList());
        return json;
    }
}
