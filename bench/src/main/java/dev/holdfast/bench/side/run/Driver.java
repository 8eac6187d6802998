package dev.holdfast.bench.side.run;

import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.Plan;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.StartingProcess;
import dev.holdfast.bench.side.Variant;
import dev.holdfast.bench.side.report.Findings;
import dev.holdfast.bench.side.workload.Steady;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The process that measures one system; started by {@link SideBySide}.
 *
 * <p>It ends when its input does, so that neither it nor its servers outlive whoever started it.
 */
public final class Driver {
    private Driver() {}

    /** The arguments for: measure these, on one cluster. Flags are for the servers' JVMs. */
    static List<String> measure(
            Entrant entrant,
            List<Experiment> experiments,
            Path results,
            Path directory,
            Variant variant,
            Plan plan,
            List<String> flags) {
        return List.of(
                entrant.system(),
                Experiment.letters(experiments),
                results.toString(),
                directory.toString(),
                variant.name(),
                variant.ttl().toString(),
                plan.warmUp().toString(),
                plan.measured().toString(),
                Integer.toString(plan.repetitions()),
                String.join(" ", flags));
    }

    /** Where the figures of one of the experiments are written. */
    static Path results(Path results, Experiment experiment) {
        return results.resolveSibling(results.getFileName() + "." + experiment.letter());
    }

    /**
     * Measures.
     *
     * @param arguments as {@link #measure(Entrant, List, Path, Path, Variant, Plan, List)} gives them
     */
    public static void main(String[] arguments) {
        StartingProcess.endWithIt();
        int code = 0;
        try {
            List<String> given = Arrays.asList(arguments);
            measure(LockSystem.named(given.get(0)), given);
        } catch (Exception e) {
            e.printStackTrace();
            code = 1;
        }
        System.exit(code); // some clients leave threads behind
    }

    private static void measure(LockSystem system, List<String> given) throws Exception {
        Variant variant = new Variant(given.get(4), Duration.parse(given.get(5)));
        Site site = new Site(Path.of(given.get(3)), Options.words(given.get(9)), variant);
        Plan plan =
                new Plan(Duration.parse(given.get(6)), Duration.parse(given.get(7)), Integer.parseInt(given.get(8)));
        List<Experiment> experiments = Experiment.group(given.get(1));
        List<Findings> findings = new ArrayList<>();
        for (Experiment unused : experiments) {
            Findings empty = new Findings();
            empty.versions(system.versions(site));
            findings.add(empty);
        }
        if (experiments.size() == 1) {
            experiments.get(0).workload().get().play(system, site, plan, findings.get(0));
        } else {
            List<Steady> workloads = experiments.stream()
                    .map(experiment -> (Steady) experiment.workload().get())
                    .toList();
            Steady.playAll(workloads, system, site, plan, findings);
        }
        for (int i = 0; i < findings.size(); i++) {
            findings.get(i).write(results(Path.of(given.get(2)), experiments.get(i)));
        }
    }
}
