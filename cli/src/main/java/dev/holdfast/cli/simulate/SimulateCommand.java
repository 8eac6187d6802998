package dev.holdfast.cli.simulate;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Logging;
import dev.holdfast.cli.output.ProgressLine;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.simulator.run.Plan;
import dev.holdfast.simulator.run.Report;
import dev.holdfast.simulator.run.Seeds;
import dev.holdfast.simulator.run.Simulation;
import dev.holdfast.simulator.story.Story;
import dev.holdfast.simulator.world.Trace;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast simulate}: clients and servers in virtual time, and whether every promise was kept. */
@Command(
        name = "simulate",
        description = {
            "Runs clients and servers in virtual time, injects faults, and checks every promise.",
            "",
            "Core, server logic and client are the real ones; log, network, clocks and processes are simulated. The "
                    + "seed decides the whole run: the same seed gives the same run. A scenario tells a short story "
                    + "instead."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:every promise was kept", "1:one was broken"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast simulate --seed 42",
            "  holdfast simulate --seed 42 --trace         every step of that run",
            "  holdfast simulate --seed 1 --seeds 20000",
            "  holdfast simulate --scenario fencing"
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "the first seed (default: 1)")
    private long seed;

    @Option(names = "--seeds", paramLabel = "N", defaultValue = "1", description = "how many seeds (default: 1)")
    private int seeds;

    @Option(names = "--clients", paramLabel = "N", defaultValue = "10", description = "number of clients (default: 10)")
    private int clients;

    @Option(
            names = "--operations",
            paramLabel = "N",
            defaultValue = "1000",
            description = "total number of operations before all faults are removed (default: 1000)")
    private int operations;

    @Option(names = "--trace", description = "show every step; only for one seed")
    private boolean trace;

    @Option(names = "--scenario", paramLabel = "NAME", description = "a story instead: ${COMPLETION-CANDIDATES}")
    private @Nullable Story scenario;

    private final Streams streams;

    public SimulateCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws InterruptedException {
        Logging.errorsOnly();
        atLeastOne("--seeds", seeds);
        atLeastOne("--clients", clients);
        atLeastOne("--operations", operations);
        if (trace && seeds > 1) {
            throw new ParameterException(spec.commandLine(), "--trace: only for one seed; leave --seeds out");
        }
        Story story = scenario;
        if (story != null) {
            return tell(story);
        }
        return seeds == 1 ? one() : many();
    }

    private void atLeastOne(String option, int value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), option + ": at least 1, was " + value);
        }
    }

    private int tell(Story story) {
        streams.out().println(story.name().toLowerCase(Locale.ROOT) + ": " + story.about());
        boolean right = story.tell(seed, this::print);
        streams.out().println(right ? "It came out right." : "IT CAME OUT WRONG.");
        return right ? ExitCode.OK : ExitCode.FAULT;
    }

    private void print(String line) {
        streams.out().println(line);
    }

    private int one() {
        Plan plan = Plan.of(seed, clients, operations);
        Report report = Simulation.run(plan, trace ? Trace.readBy(this::print) : Trace.hashed());
        if (!report.isClean() && !trace) {
            print("The last steps before the failure:");
            Seeds.lastLines(plan).forEach(this::print);
        }
        report.broken().forEach(broken -> print("BROKEN: " + broken));
        streams.out()
                .printf(
                        Locale.ROOT,
                        "seed %d: %d nodes, %d operations, %d events in %.1f s of virtual time, trace %016x: %s%n",
                        seed,
                        plan.nodes(),
                        report.operations(),
                        report.events(),
                        report.nanos() / NANOS_PER_SECOND,
                        report.traceHash(),
                        report.isClean() ? "every promise was kept" : "NOT every promise was kept");
        return report.isClean() ? ExitCode.OK : ExitCode.FAULT;
    }

    private int many() throws InterruptedException {
        long began = System.nanoTime();
        Sum sum = new Sum();
        try (ProgressLine progress = new ProgressLine(streams)) {
            Seeds.run(
                    seed,
                    seeds,
                    Runtime.getRuntime().availableProcessors(),
                    each -> Plan.of(each, clients, operations),
                    report -> {
                        sum.add(report);
                        progress.tell(sum.runs + " of " + seeds + " seeds, " + sum.broken + " with a broken promise");
                        if (!report.isClean()) {
                            print("seed " + report.plan().seed() + ": "
                                    + report.broken().get(0));
                        }
                    });
        }
        streams.out()
                .printf(
                        Locale.ROOT,
                        "%d seeds, %d operations, %d events, %.0f s of virtual time in %d s: %d with a broken promise%s%n",
                        sum.runs,
                        sum.operations,
                        sum.events,
                        sum.nanos / NANOS_PER_SECOND,
                        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began),
                        sum.broken,
                        sum.undecided == 0 ? "" : "; " + sum.undecided + " histories were too long to decide");
        return sum.broken == 0 ? ExitCode.OK : ExitCode.FAULT;
    }

    private static final class Sum {
        private int runs;
        private int broken;
        private int undecided;
        private long operations;
        private long events;
        private long nanos;

        void add(Report report) {
            runs++;
            broken += report.isClean() ? 0 : 1;
            undecided += report.decided() ? 0 : 1;
            operations += report.operations();
            events += report.events();
            nanos += report.nanos();
        }
    }
}
