package dev.holdfast.bench.side;

import dev.holdfast.bench.side.report.Findings;
import dev.holdfast.bench.side.workload.Steady;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The process that measures one system; started by {@link SideBySide}, or as the holder of a lock by a workload.
 *
 * <p>It ends when its input does, so that neither it nor its servers outlive whoever started it.
 */
public final class Driver {
    private static final String MEASURE = "measure";
    private static final String HOLD = "hold";

    private Driver() {}

    /** The arguments that {@link #run} understands as: measure these, on one cluster. Flags are for the servers' JVMs. */
    static List<String> measure(
            List<Experiment> experiments,
            Path results,
            Path directory,
            Variant variant,
            Plan plan,
            List<String> flags) {
        return List.of(
                MEASURE,
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

    /** A command for a process that holds a lock until it is killed, and prints {@code held} once it does. */
    public static List<String> hold(LockSystem system, Site site, String endpoints, String key) {
        Variant variant = site.variant();
        return site.java(
                system.getClass().getName(),
                HOLD,
                endpoints,
                key,
                variant.name(),
                variant.ttl().toString());
    }

    /** What the main method of every system does. Never returns: some clients leave threads behind. */
    public static void run(LockSystem system, String[] arguments) {
        endWithInput();
        int code = 0;
        try {
            List<String> given = Arrays.asList(arguments);
            switch (given.get(0)) {
                case MEASURE -> measure(system, given);
                case HOLD -> hold(system, given);
                default -> throw new IllegalArgumentException(given.get(0) + " is neither measure nor hold");
            }
        } catch (Exception e) {
            e.printStackTrace();
            code = 1;
        }
        System.exit(code);
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

    private static void hold(LockSystem system, List<String> given) throws Exception {
        Variant variant = new Variant(given.get(3), Duration.parse(given.get(4)));
        system.connect(given.get(1), variant).mutex(given.get(2)).lock();
        System.out.println("held");
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void endWithInput() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nothing is ever said: only the end matters.
                        }
                    } catch (IOException e) {
                        // As good as the end.
                    }
                    System.exit(1);
                },
                "end with input");
        watch.setDaemon(true);
        watch.start();
    }
}
