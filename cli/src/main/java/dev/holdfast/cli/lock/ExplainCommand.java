package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.protocol.v1.ExplainRequest;
import dev.holdfast.protocol.v1.ExplainResponse;
import dev.holdfast.protocol.v1.Explanation;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.LeaseListRequest;
import dev.holdfast.protocol.v1.LeaseListResponse;
import dev.holdfast.protocol.v1.LeaseTimeToLiveResponse;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast explain}: why somebody waits. */
@Command(
        name = "explain",
        description = {
            "Shows why somebody waits, as a chain: who is in the way, what that one waits for, and so on.",
            "",
            "With a key: for everybody who waits for it, in order. With a lease: for everything it waits for. About "
                    + "others, only what your permissions allow is shown."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:somebody waits, and the reason was shown", "1:nobody waits", "69:no node answers"},
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast explain orders/42", "  holdfast explain --lease 7316024119840123921"})
final class ExplainCommand implements Callable<Integer> {
    private static final int PAGE = 100;

    @ArgGroup(multiplicity = "1")
    private @Nullable About about;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "10",
            description = "explain at most N waiters (default: 10)")
    private int limit;

    @Mixin
    private final Output output;

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    ExplainCommand(Streams streams) {
        this.streams = streams;
        this.output = new Output(streams);
    }

    /** One of the two. */
    static final class About {
        @Parameters(paramLabel = "NAME", description = "the lock's key")
        private @Nullable String key;

        @Option(names = "--lease", paramLabel = "ID", description = "one of your leases, as shown by 'holdfast leases'")
        private long lease;
    }

    @Override
    public Integer call() {
        About asked = about;
        if (asked == null) {
            throw new IllegalArgumentException("say which lock, or which lease");
        }
        List<Explanation> explanations;
        try (Nodes nodes = connection.nodes()) {
            String key = asked.key;
            explanations = key == null ? ofLease(nodes, asked.lease) : ofWaiters(nodes, key);
        }
        switch (output.format()) {
            case TABLE -> print(explanations);
            case JSON -> streams.out().println(Json.pretty(Map.of("explanations", explanations)));
            case NAME ->
                explanations.stream()
                        .flatMap(each -> each.getStepsList().stream())
                        .map(Explanation.Step::getBlocker)
                        .distinct()
                        .forEach(name -> streams.out().println(Printable.of(name)));
        }
        streams.out().flush();
        return ExitCode.OK;
    }

    private static List<Explanation> ofLease(Nodes nodes, long lease) {
        List<Explanation> explanations = new ArrayList<>();
        long from = 0;
        boolean incomplete = false;
        do {
            ExplainResponse page = explained(nodes, lease, from);
            explanations.addAll(page.getExplanationsList());
            incomplete |= page.getIncomplete();
            from = page.getNext();
        } while (from != 0 && explanations.size() < PAGE);
        if (explanations.isEmpty()) {
            throw new Failure(
                    ExitCode.DIFFERENT,
                    incomplete
                            ? "the lease has too many locks to look at all of them; 'holdfast explain NAME' explains one"
                            : "the lease waits for nothing");
        }
        return explanations;
    }

    private static ExplainResponse explained(Nodes nodes, long lease, long from) {
        return nodes.locks(service -> service.explain(
                ExplainRequest.newBuilder().setLeaseId(lease).setFrom(from).build()));
    }

    private List<Explanation> ofWaiters(Nodes nodes, String key) {
        LockRecord lock = nodes.locks(service ->
                        service.get(GetRequest.newBuilder().setName(key).build()))
                .getLock();
        if (lock.getWaitersCount() == 0) {
            throw new Failure(
                    ExitCode.DIFFERENT,
                    "nobody waits for " + key
                            + (lock.getHoldersCount() == 0
                                    ? ", and nobody holds it"
                                    : "; 'holdfast show' tells who holds it"));
        }
        List<Explanation> explanations = new ArrayList<>();
        for (Waiter waiter : lock.getWaitersList().stream().limit(limit).toList()) {
            for (LeaseTimeToLiveResponse lease : leases(nodes, waiter.getClientId())) {
                explained(nodes, lease.getId(), waiter.getCreateRevision()).getExplanationsList().stream()
                        .filter(each -> isOf(each, waiter))
                        .forEach(explanations::add);
            }
        }
        if (explanations.isEmpty()) {
            throw new Failure(
                    ExitCode.DENIED, "those who wait for " + key + " are not yours; 'holdfast show' says who they are");
        }
        return explanations;
    }

    private static List<LeaseTimeToLiveResponse> leases(Nodes nodes, String clientId) {
        List<LeaseTimeToLiveResponse> leases = new ArrayList<>();
        long from = 0;
        do {
            LeaseListRequest request = LeaseListRequest.newBuilder()
                    .setClientId(clientId)
                    .setFrom(from)
                    .setLimit(PAGE)
                    .build();
            LeaseListResponse page = nodes.locks(service -> service.leaseList(request));
            leases.addAll(page.getLeasesList());
            from = page.getNext();
        } while (from != 0 && leases.size() < PAGE);
        return leases;
    }

    /** A client may wait for more than one lock; the first step is of the request itself. */
    private static boolean isOf(Explanation explanation, Waiter waiter) {
        return explanation.getStepsCount() > 0
                && explanation.getSteps(0).getWaiterRevision() == waiter.getCreateRevision();
    }

    private void print(List<Explanation> explanations) {
        for (int i = 0; i < explanations.size(); i++) {
            if (i > 0) {
                streams.out().println();
            }
            ExplanationTree.lines(explanations.get(i))
                    .forEach(line -> streams.out().println(Printable.of(line)));
        }
    }
}
