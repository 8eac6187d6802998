package dev.holdfast.cli.load;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.cli.output.Ink;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.ProgressLine;
import dev.holdfast.cli.output.Streams;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast bench}: load, and what it does to latencies. */
@Command(
        name = "bench",
        description = {
            "Takes locks and gives them back through the Java client, from many threads, and measures the time.",
            "",
            "A pair is one acquire and one release, both answered. Without --rate each thread starts its next pair "
                    + "when the last is done; with it pairs start at fixed times, and one that starts late counts from "
                    + "when it should have started. Ctrl-C ends it early and shows what was measured."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured", "69:no pair was completed"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast bench",
            "  holdfast bench --threads 64 --clients 4 --rate 2000 --duration 1m",
            "  holdfast bench --threads 16 --shared-keys      all threads wait for one lock"
        })
public final class BenchCommand implements Callable<Integer> {
    private static final long ENDING_SECONDS = 15;
    private static final int MAX_THREADS = 10_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "8", description = "number of threads (default: 8)")
    private int threads;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "1",
            description = "clients that the threads share, each with its own session and connection (default: 1)")
    private int clients;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "1",
            description = "keys that a thread uses in turn (default: 1)")
    private int keys;

    @Option(names = "--shared-keys", description = "all threads use the same keys, and wait for each other")
    private boolean sharedKeys;

    @Option(
            names = {"-s", "--shared"},
            description = "take the locks in shared mode")
    private boolean sharedMode;

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            defaultValue = "0ms",
            description = "hold each lock for this long; not part of the latency (default: 0ms)")
    private Duration hold = Duration.ZERO;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "total pairs per second (default: as many as possible)")
    private double rate;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            defaultValue = "3s",
            description = "run for this long before measuring (default: 3s)")
    private Duration warmUp = Duration.ZERO;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "measure for this long (default: 10s)")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            description = "prefix of the keys (default: bench/ and a random number)")
    private String prefix = "bench/" + UUID.randomUUID().toString().substring(0, 8) + "/";

    @Mixin
    private final Connection connection = new Connection();

    @Mixin
    private final Output output;

    private final Streams streams;

    public BenchCommand(Streams streams) {
        this.streams = streams;
        this.output = new Output(streams);
    }

    @Override
    public Integer call() throws InterruptedException {
        atLeast("--threads", threads, 1);
        atLeast("--clients", clients, 1);
        atLeast("--keys", keys, 1);
        atLeast("--rate", rate, 0);
        if (threads > MAX_THREADS) {
            throw new ParameterException(spec.commandLine(), "--threads: at most " + MAX_THREADS + ", was " + threads);
        }
        Plan plan = new Plan(
                prefix,
                threads,
                Math.min(clients, threads),
                keys,
                sharedKeys,
                sharedMode,
                hold,
                rate,
                warmUp,
                duration);
        ProgressLine progress = new ProgressLine(streams);
        Load load = new Load(
                plan,
                () -> connection.client().build(),
                (phase, passed, of, pairs) -> progress.tell(words(phase, passed, of, pairs)));
        CountDownLatch shown = new CountDownLatch(1);
        Thread hook = new Thread(() -> endEarly(load, shown), "holdfast-bench-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Load.Outcome outcome = load.run();
            progress.close();
            return show(new Report(plan, outcome));
        } finally {
            shown.countDown();
        }
    }

    private void atLeast(String option, double value, double least) {
        if (value < least) {
            throw new ParameterException(spec.commandLine(), option + ": must be at least " + least + ", was " + value);
        }
    }

    private static void endEarly(Load load, CountDownLatch shown) {
        load.stop();
        try {
            boolean unused = shown.await(ENDING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String words(String phase, Duration passed, Duration of, long pairs) {
        return String.format(
                Locale.ROOT,
                "%s: %d s of %s, %,.0f pairs/s",
                phase,
                passed.toSeconds(),
                Durations.text(of.toMillis()),
                passed.isZero() ? 0 : pairs * 1e9 / passed.toNanos());
    }

    private int show(Report report) {
        if (report.outcome().meter().pairs() == 0) {
            throw new Failure(
                    ExitCode.UNAVAILABLE,
                    "no pair was completed: "
                            + report.outcome().meter().failures().keySet().stream()
                                    .findFirst()
                                    .orElse("it was too short, give it a longer --duration"));
        }
        if (output.format() == Output.Format.TABLE) {
            streams.out().println(report.plan().words());
            streams.out().println(report.headline());
            report.outcome()
                    .meter()
                    .failures()
                    .forEach((what, count) -> streams.out().println("  " + count + " times " + Printable.of(what)));
            streams.out().println();
            report.latencies().print(streams.out(), new Ink(streams.coloured()));
            streams.out().println();
            streams.out().println("pairs that took up to");
            report.bars().forEach(streams.out()::println);
            streams.out().flush();
        } else {
            output.show(report.latencies(), report.json(), List.of(Double.toString(report.pairsPerSecond())));
        }
        return ExitCode.OK;
    }
}
