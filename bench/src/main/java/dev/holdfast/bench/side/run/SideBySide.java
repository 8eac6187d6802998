package dev.holdfast.bench.side.run;

import dev.holdfast.bench.side.Variant;
import dev.holdfast.bench.side.report.Comparison;
import dev.holdfast.bench.side.report.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plays experiments for all systems, one after another, and prints what they showed as tables; see
 * {@code bench/side-by-side --help}.
 */
public final class SideBySide {
    private static final int LINES = 12;
    private static final Duration STEADY_TTL = Duration.ofSeconds(60);

    /** As our launcher has them for a server, and for all systems and their clients alike: most have Netty in them. */
    private static final List<String> NETTY_FLAGS = Runtime.version().feature() < 24
            ? List.of("-Dio.netty.leakDetection.level=disabled")
            : List.of(
                    "-Dio.netty.leakDetection.level=disabled",
                    "-Dio.netty.noUnsafe=false",
                    "-Dio.grpc.netty.shaded.io.netty.noUnsafe=false",
                    "--sun-misc-unsafe-memory-access=allow",
                    "--enable-native-access=ALL-UNNAMED");

    private final Options options;
    private volatile @Nullable Process current;

    private SideBySide(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws Exception {
        Options options;
        try {
            options = Options.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("side-by-side: " + e.getMessage());
            System.exit(2);
            return;
        }
        new SideBySide(options).run();
    }

    private void run() throws Exception {
        System.out.printf(
                "%s, Java %s, %d processors; warm-up %d s, %d × %d s measured; flags of all JVMs: %s%n",
                System.getProperty("os.name"),
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                options.plan().warmUp().toSeconds(),
                options.plan().repetitions(),
                options.plan().measured().toSeconds(),
                String.join(" ", shared()));
        Runtime.getRuntime().addShutdownHook(new Thread(this::endCurrent, "end of the driver"));
        for (List<Experiment> group : options.experiments()) {
            Map<Experiment, List<Comparison.Row>> rows = play(group);
            for (Experiment experiment : group) {
                // None where no system that was asked for takes part.
                for (Experiment shown : rows.containsKey(experiment) ? experiment.shown() : List.<Experiment>of()) {
                    report(shown, rows.getOrDefault(experiment, List.of()));
                }
            }
        }
    }

    private Map<Experiment, List<Comparison.Row>> play(List<Experiment> group) throws Exception {
        Map<Experiment, List<Comparison.Row>> rows = new LinkedHashMap<>();
        for (Entrant entrant : Entrant.values()) {
            List<Experiment> taken = group.stream()
                    .filter(experiment -> experiment.entrants().contains(entrant))
                    .toList();
            if (taken.isEmpty()
                    || (!options.systems().isEmpty() && !options.systems().contains(entrant))) {
                continue;
            }
            System.err.printf(
                    "%s: %s …%n",
                    taken.stream().map(Experiment::title).collect(Collectors.joining("; ")), entrant.label());
            List<Findings> findings = measure(taken, entrant);
            for (int i = 0; i < taken.size(); i++) {
                findings.get(i)
                        .metrics()
                        .forEach(metric ->
                                System.err.printf("    %s: %s %s%n", metric.name(), metric.text(), metric.unit()));
                rows.computeIfAbsent(taken.get(i), unused -> new ArrayList<>())
                        .add(new Comparison.Row(entrant.label(), findings.get(i)));
            }
        }
        return rows;
    }

    /** The flags of all JVMs. */
    private List<String> shared() {
        return Stream.concat(NETTY_FLAGS.stream(), options.flags().stream()).toList();
    }

    /** In a process of its own; a system that fails has no figures, and the others go on. */
    private List<Findings> measure(List<Experiment> experiments, Entrant entrant)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(
                options.directory(), Experiment.letters(experiments) + "-" + entrant.name() + "-");
        Path results = directory.resolve("results");
        Path target = entrant.target(options.root());
        List<String> flags =
                Stream.concat(shared().stream(), entrant.flags().stream()).toList();
        // Where nobody is killed, nobody is to lose a lease only because all wait for a processor.
        Duration ttl = experiments.stream().anyMatch(Experiment::endsByTtl) ? options.ttl() : STEADY_TTL;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of(
                "-cp",
                target.resolve("classes") + ":"
                        + Files.readString(target.resolve("classpath.txt")).strip()));
        command.add(Driver.class.getName());
        command.addAll(Driver.measure(
                entrant, experiments, results, directory, new Variant(entrant.variant(), ttl), options.plan(), flags));
        Process driver = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(directory.resolve("driver.out").toFile())
                .start();
        current = driver;
        boolean inTime = driver.waitFor(options.patience().toSeconds(), TimeUnit.SECONDS);
        end(driver);
        if (!inTime || driver.exitValue() != 0) {
            System.err.printf(
                    "    FAILED: %s%n",
                    inTime
                            ? "exit code " + driver.exitValue()
                            : "not done in " + options.patience().toMinutes() + " min");
            complain(directory);
            Directories.delete(directory);
            return experiments.stream().map(unused -> new Findings()).toList();
        }
        List<Findings> findings = new ArrayList<>();
        for (Experiment experiment : experiments) {
            findings.add(Findings.read(Driver.results(results, experiment)));
        }
        Directories.delete(directory);
        return findings;
    }

    private void endCurrent() {
        Process driver = current;
        if (driver != null) {
            end(driver);
        }
    }

    /** SIGTERM, upon which it kills its servers. */
    private static void end(Process driver) {
        driver.destroy();
        driver.onExit().join();
    }

    /** The first lines of the driver, which name the cause, and the last ones of each server. */
    private static void complain(Path directory) throws IOException {
        try (Stream<Path> outputs = Files.list(directory)) {
            for (Path output : outputs.filter(file -> file.toString().endsWith(".out"))
                    .sorted()
                    .toList()) {
                List<String> lines = Files.readAllLines(output);
                boolean first = output.endsWith("driver.out");
                int from = first ? 0 : Math.max(0, lines.size() - LINES);
                lines.subList(from, Math.min(lines.size(), from + LINES))
                        .forEach(line -> System.err.printf("    %s: %s%n", output.getFileName(), line));
            }
        }
    }

    private void report(Experiment experiment, List<Comparison.Row> rows) throws IOException {
        Comparison comparison = new Comparison(experiment.title(), experiment.headline(), rows);
        System.out.printf("%n%s%n", comparison.markdown());
        rows.stream()
                .map(row -> "- " + row.label() + ": " + row.findings().versions())
                .forEach(System.out::println);
        Files.createDirectories(options.output());
        Files.writeString(
                options.output().resolve(experiment.letter() + ".svg"),
                comparison.chart().svg());
        Files.write(options.output().resolve(experiment.letter() + ".csv"), comparison.csv());
        System.out.printf("%nplot and values: %s.svg, .csv%n", options.output().resolve(experiment.letter()));
    }
}
