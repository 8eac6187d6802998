package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.Table;
import dev.holdfast.protocol.v1.Holder;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.ListResponse;
import dev.holdfast.protocol.v1.LockRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast ls}: which locks there are. */
@Command(
        name = "ls",
        description = "Lists the locks that somebody holds or waits for, ordered by key, one line per holder.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast ls", "  holdfast ls orders/ --limit 20", "  holdfast ls -o name | wc -l"})
final class LsCommand implements Callable<Integer> {
    private static final int PAGE = 1_000;

    @Parameters(
            paramLabel = "PREFIX",
            arity = "0..1",
            defaultValue = "",
            description = "only keys that start with " + "PREFIX")
    private String prefix = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "list at most N locks (default: 1000)")
    private int limit;

    @Mixin
    private final Output output;

    @Mixin
    private final Connection connection = new Connection();

    LsCommand(Streams streams) {
        this.output = new Output(streams);
    }

    @Override
    public Integer call() {
        List<LockRecord> locks = locks();
        Table table = new Table("KEY", "HOLDER", "MODE", "TOKEN", "AGE", "LEASE LEFT", "WAITERS", "PURPOSE");
        for (LockRecord lock : locks) {
            if (lock.getHoldersCount() == 0) {
                table.row(lock.getKey(), "", "", "", "", "", lock.getWaiterCount(), "");
            }
            for (Holder holder : lock.getHoldersList()) {
                table.row(
                        lock.getKey(),
                        holder.getHolderId(),
                        Words.mode(holder.getHold()),
                        holder.getFencingToken(),
                        Durations.text(holder.getHeldMs()),
                        holder.getLingering() ? "lost" : Durations.text(holder.getLeaseLeftMs()),
                        lock.getWaiterCount(),
                        holder.getPurpose());
            }
        }
        output.show(
                table,
                Map.of("locks", locks),
                locks.stream().map(LockRecord::getKey).toList());
        return ExitCode.OK;
    }

    private List<LockRecord> locks() {
        List<LockRecord> locks = new ArrayList<>();
        try (Nodes nodes = connection.nodes()) {
            String from = "";
            do {
                ListRequest request = ListRequest.newBuilder()
                        .setPrefix(prefix)
                        .setFrom(from)
                        .setLimit(Math.min(PAGE, limit - locks.size()))
                        .build();
                ListResponse page = nodes.locks(service -> service.list(request));
                locks.addAll(page.getLocksList());
                from = page.getNext();
            } while (!from.isEmpty() && locks.size() < limit);
        }
        return locks;
    }
}
