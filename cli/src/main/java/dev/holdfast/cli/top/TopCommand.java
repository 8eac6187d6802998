package dev.holdfast.cli.top;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Ink;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.Table;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.ListResponse;
import dev.holdfast.protocol.v1.LockRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast top}: the busiest locks and the longest waits, live. */
@Command(
        name = "top",
        description = {
            "Shows the busiest locks and the longest waits, refreshed continuously; q ends it.",
            "",
            "Grants are counted as they happen, over the time between two refreshes. If the output is not a terminal, "
                    + "or with --once, one snapshot is printed."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast top", "  holdfast top orders/ --by wait", "  holdfast top --once -o json"})
public final class TopCommand implements Callable<Integer> {
    private static final int PAGE = 1_000;
    private static final String HOME_AND_CLEAR = "\u001b[H\u001b[J";

    @Parameters(
            paramLabel = "PREFIX",
            arity = "0..1",
            defaultValue = "",
            description = "only keys that start with " + "PREFIX")
    private String prefix = "";

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            defaultValue = "grants",
            description = "sort by grants, waiters or wait (default: grants)")
    private BusyLock.Order order = BusyLock.Order.GRANTS;

    @Option(
            names = {"-n", "--rows"},
            paramLabel = "N",
            defaultValue = "20",
            description = "how many locks to show (default: 20)")
    private int rows;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "time between two refreshes (default: 2s)")
    private Duration interval = Duration.ofSeconds(2);

    @Option(
            names = "--locks",
            paramLabel = "N",
            defaultValue = "5000",
            description = "look at no more than N locks per refresh (default: 5000)")
    private int mostLocks;

    @Option(names = "--once", description = "print one snapshot after one interval")
    private boolean once;

    @Mixin
    private final Connection connection = new Connection();

    @Mixin
    private final Output output;

    private final Streams streams;

    public TopCommand(Streams streams) {
        this.streams = streams;
        this.output = new Output(streams);
    }

    /** What is shown at one time. */
    private record Picture(GrantCounts.Interval interval, List<BusyLock> busiest, int looked, boolean all) {}

    @Override
    public Integer call() throws InterruptedException {
        try (HoldfastClient client = connection.client().build();
                GrantCounts grants =
                        new GrantCounts(client.watch(prefix).prefix().open());
                Nodes nodes = connection.nodes()) {
            boolean live = streams.terminal() && !once && output.format() == Output.Format.TABLE;
            if (live) {
                showUntilQuit(nodes, grants);
            } else {
                TimeUnit.MILLISECONDS.sleep(interval.toMillis());
                show(picture(nodes, grants));
            }
        }
        return ExitCode.OK;
    }

    private void showUntilQuit(Nodes nodes, GrantCounts grants) throws InterruptedException {
        try (Keyboard keyboard = new Keyboard(streams.in())) {
            // Ctrl-C is a way to end it like any other, and the terminal must be set back.
            Thread hook = new Thread(
                    () -> {
                        keyboard.restore();
                        Runtime.getRuntime().halt(ExitCode.OK);
                    },
                    "holdfast-top-stop");
            Runtime.getRuntime().addShutdownHook(hook);
            do {
                Picture picture = picture(nodes, grants);
                streams.out().print(HOME_AND_CLEAR);
                streams.out().println(headline(picture));
                streams.out().println();
                table(picture).print(streams.out(), new Ink(streams.coloured()));
                streams.out().flush();
            } while (!keyboard.quitWithin(interval.toMillis()));
            boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void show(Picture picture) {
        if (output.format() == Output.Format.TABLE) {
            streams.out().println(headline(picture));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("grants_per_second", picture.interval().perSecond());
        json.put("complete", picture.all() && picture.interval().complete());
        json.put("locks", picture.busiest().stream().map(BusyLock::json).toList());
        output.show(
                table(picture),
                json,
                picture.busiest().stream().map(BusyLock::key).toList());
    }

    private static String headline(Picture picture) {
        return String.format(
                Locale.ROOT,
                "%.1f grants/s over %.1f s, locks in use: %d%s%s",
                picture.interval().perSecond(),
                picture.interval().seconds(),
                picture.looked(),
                picture.all() ? "" : " and more, not looked at (--locks, PREFIX)",
                picture.interval().complete() ? "" : "; more was granted than could be followed");
    }

    private static Table table(Picture picture) {
        Table table = new Table("KEY", "GRANTS/S", "WAITERS", "LONGEST WAIT", "HOLDER", "HELD", "PURPOSE");
        picture.busiest().forEach(lock -> table.row(lock.cells()));
        return table;
    }

    private Picture picture(Nodes nodes, GrantCounts grants) {
        List<LockRecord> locks = new ArrayList<>();
        String from = "";
        do {
            ListRequest request = ListRequest.newBuilder()
                    .setPrefix(prefix)
                    .setFrom(from)
                    .setLimit(Math.min(PAGE, mostLocks - locks.size()))
                    .setStale(true)
                    .build();
            ListResponse page = nodes.locks(service -> service.list(request));
            locks.addAll(page.getLocksList());
            from = page.getNext();
        } while (!from.isEmpty() && locks.size() < mostLocks);
        GrantCounts.Interval counted = grants.take();
        return new Picture(counted, BusyLock.of(counted, locks, order, rows), locks.size(), from.isEmpty());
    }
}
