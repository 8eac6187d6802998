package dev.holdfast.cli.operate;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.Table;
import dev.holdfast.protocol.v1.StatusRequest;
import dev.holdfast.protocol.v1.StatusResponse;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast status}: how each node is. */
@Command(
        name = "status",
        description = {
            "Shows each node's role, how far it has applied the log, and what it holds.",
            "",
            "Only the nodes in --endpoints are asked; 'holdfast doctor' finds the others and says what to do."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all answered", "69:not all answered"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast status --endpoints 127.0.0.1:4600,127.0.0.1:4610",
            "  holdfast status -o json | jq '.nodes[].status.role'"
        })
final class StatusCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    @Mixin
    private final Connection connection = new Connection();

    @Mixin
    private final Output output;

    private final Streams streams;
    private final Table table =
            new Table("ENDPOINT", "NODE", "ROLE", "TERM", "APPLIED", "REVISION", "LEASES", "LOCKS", "WAITERS", "LOG");
    private final List<Map<String, Object>> json = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private boolean allAnswered = true;

    StatusCommand(Streams streams) {
        this.streams = streams;
        this.output = new Output(streams);
    }

    @Override
    public Integer call() {
        try (Nodes nodes = connection.nodes()) {
            connection.addresses().forEach(address -> ask(nodes, address));
        }
        output.show(table, Map.of("nodes", json), names);
        // Below a table, and never where a script reads.
        if (output.format() == Output.Format.TABLE) {
            warnings.forEach(warning -> streams.out().println("warning: " + Printable.of(warning)));
            streams.out().flush();
        }
        return allAnswered ? ExitCode.OK : ExitCode.UNAVAILABLE;
    }

    private void ask(Nodes nodes, String address) {
        try {
            show(address, nodes.admin(address, TIMEOUT, admin -> admin.status(StatusRequest.getDefaultInstance())));
        } catch (StatusRuntimeException e) {
            allAnswered = false;
            table.row(address, "", "SILENT", "", "", "", "", "", "", "");
            warnings.add(address + " " + Nodes.problem(e));
            Map<String, Object> node = new LinkedHashMap<>();
            node.put("endpoint", address);
            node.put("problem", Nodes.problem(e));
            json.add(node);
        }
    }

    private void show(String address, StatusResponse status) {
        String name = status.getMember().replaceFirst("@.*", "");
        table.row(
                address,
                name,
                status.getRole(),
                status.getHeader().getRaftTerm(),
                status.getAppliedIndex(),
                status.getHeader().getRevision(),
                status.getLeases(),
                status.getLocks(),
                status.getWaiters(),
                status.getLog());
        names.add(name);
        status.getWarningsList().forEach(warning -> warnings.add(name + ": " + warning));
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("endpoint", address);
        node.put("status", status);
        json.add(node);
    }
}
