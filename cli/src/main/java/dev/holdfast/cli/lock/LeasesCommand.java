package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.Table;
import dev.holdfast.protocol.v1.Hold;
import dev.holdfast.protocol.v1.LeaseListRequest;
import dev.holdfast.protocol.v1.LeaseListResponse;
import dev.holdfast.protocol.v1.LeaseTimeToLiveRequest;
import dev.holdfast.protocol.v1.LeaseTimeToLiveResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast leases}: the caller's leases. */
@Command(
        name = "leases",
        description = {
            "Lists your leases: their clients, how long they last, what they hold and wait for.",
            "",
            "A lease belongs to whoever started it, and nobody else sees it: its number is a secret."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast leases", "  holdfast leases --client web-1-4711-8d2f -o json"})
final class LeasesCommand implements Callable<Integer> {
    private static final int PAGE = 100;
    private static final int KEYS_SHOWN = 3;

    @Option(names = "--client", paramLabel = "ID", defaultValue = "", description = "only leases of this client id")
    private String client = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "list at most N leases (default: 100)")
    private int limit;

    @Mixin
    private final Output output;

    @Mixin
    private final Connection connection = new Connection();

    LeasesCommand(Streams streams) {
        this.output = new Output(streams);
    }

    @Override
    public Integer call() {
        List<LeaseTimeToLiveResponse> leases = leases();
        Table table = new Table("LEASE", "CLIENT", "TTL", "LEFT", "HOLDS", "WAITS FOR");
        for (LeaseTimeToLiveResponse lease : leases) {
            table.row(
                    lease.getId(),
                    lease.getClientId(),
                    Durations.text(lease.getGrantedTtlMs()),
                    Durations.text(Math.max(0, lease.getTtlMs())),
                    keys(lease.getHeldList(), lease.getIncomplete()),
                    keys(lease.getAwaitedList(), false));
        }
        output.show(
                table,
                Map.of("leases", leases),
                leases.stream().map(lease -> Long.toString(lease.getId())).toList());
        return ExitCode.OK;
    }

    private static String keys(List<Hold> holds, boolean incomplete) {
        List<String> keys = holds.stream().map(Hold::getKey).distinct().toList();
        String shown = keys.stream().limit(KEYS_SHOWN).collect(Collectors.joining(", "));
        if (incomplete) {
            return shown + " and more than can be counted here";
        }
        return keys.size() <= KEYS_SHOWN ? shown : shown + " and " + (keys.size() - KEYS_SHOWN) + " more";
    }

    /** A page of leases does not carry what they hold; should one have ended meanwhile, nothing is shown for it. */
    private static LeaseTimeToLiveResponse withKeys(Nodes nodes, LeaseTimeToLiveResponse lease) {
        LeaseTimeToLiveRequest request = LeaseTimeToLiveRequest.newBuilder()
                .setId(lease.getId())
                .setKeys(true)
                .build();
        LeaseTimeToLiveResponse now = nodes.locks(service -> service.leaseTimeToLive(request));
        return lease.toBuilder()
                .addAllHeld(now.getHeldList())
                .addAllAwaited(now.getAwaitedList())
                .setIncomplete(now.getIncomplete())
                .build();
    }

    private List<LeaseTimeToLiveResponse> leases() {
        List<LeaseTimeToLiveResponse> leases = new ArrayList<>();
        try (Nodes nodes = connection.nodes()) {
            long from = 0;
            do {
                LeaseListRequest request = LeaseListRequest.newBuilder()
                        .setClientId(client)
                        .setFrom(from)
                        .setLimit(Math.min(PAGE, limit - leases.size()))
                        .build();
                LeaseListResponse page = nodes.locks(service -> service.leaseList(request));
                page.getLeasesList().forEach(lease -> leases.add(withKeys(nodes, lease)));
                from = page.getNext();
            } while (from != 0 && leases.size() < limit);
        }
        return leases;
    }
}
