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
            "Looks at every node and at the locks, and says what is wrong, why it matters and what to do.",
            "",
            "One address is enough: the others are found. States are compared after one and the same entry, unless there "
                    + "are so many locks and leases that it would hold the nodes up (--deep compares them all the same)."
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
            description = "a lock held for so long while others wait is worth a warning (default: 1h)")
    private Duration longHold = Duration.ofHours(1);

    @Option(
            names = "--many-waiters",
            paramLabel = "N",
            defaultValue = "100",
            description = "so many waiters for one lock are worth a warning (default: 100)")
    private int manyWaiters;

    @Option(
            names = "--locks",
            paramLabel = "N",
            defaultValue = "10000",
            description = "look at so many locks at the most (default: 10000)")
    private int mostLocks;

    @Option(
            names = "--regions",
            paramLabel = "NODE=REGION",
            split = ",",
            description = "what fails as one: says whether the placement survives the loss of one")
    private Map<String, String> regions = new LinkedHashMap<>();

    @Option(names = "--deep", description = "compare the nodes' states, however large")
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
