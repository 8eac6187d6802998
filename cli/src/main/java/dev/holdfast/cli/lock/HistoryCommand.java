package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.Table;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.HistoryRequest;
import dev.holdfast.protocol.v1.HistoryResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast history}: what happened to a lock. */
@Command(
        name = "history",
        description = {
            "Shows what happened to a lock, newest first: who held it, when, and how each hold ended.",
            "",
            "The cluster remembers a limited number of events for all locks together; older ones are gone."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast history orders/42", "  holdfast history orders/42 --limit 5 -o json"})
final class HistoryCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "the lock's key")
    private String key = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "show at most N events (default: 50)")
    private int limit;

    @Mixin
    private final Output output;

    @Mixin
    private final Connection connection = new Connection();

    HistoryCommand(Streams streams) {
        this.output = new Output(streams);
    }

    @Override
    public Integer call() {
        List<Event> events = events();
        Table table = new Table("REVISION", "TIME", "WHAT", "CLIENT", "TOKEN", "NOTE");
        for (Event event : events) {
            table.row(
                    event.getRevision(),
                    Words.time(event.getWallMs()),
                    EventLines.what(event),
                    event.getKv().getHolderId(),
                    event.getKv().getFencingToken() == 0 ? "" : event.getKv().getFencingToken(),
                    EventLines.note(event));
        }
        output.show(
                table,
                Map.of("events", events),
                events.stream().map(event -> Long.toString(event.getRevision())).toList());
        return ExitCode.OK;
    }

    private List<Event> events() {
        List<Event> events = new ArrayList<>();
        try (Nodes nodes = connection.nodes()) {
            long before = 0;
            do {
                HistoryRequest request = HistoryRequest.newBuilder()
                        .setName(key)
                        .setLimit(limit - events.size())
                        .setBefore(before)
                        .build();
                HistoryResponse page = nodes.locks(service -> service.history(request));
                events.addAll(page.getEventsList());
                before = page.getNext();
            } while (before != 0 && events.size() < limit);
        }
        return events;
    }
}
