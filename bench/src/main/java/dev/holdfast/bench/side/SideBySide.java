package dev.holdfast.bench.side;

import dev.holdfast.bench.side.report.Comparison;
import dev.holdfast.bench.side.report.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plays experiments for all systems, one after another, and prints what they showed as tables; see
 * {@code bench/side-by-side --help}.
 */
public final class SideBySide {
    private static final int LINES = 12;

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
                String.join(" ", options.flags()));
        Runtime.getRuntime().addShutdownHook(new Thread(this::endCurrent, "end of the driver"));
        for (Experiment experiment : options.experiments()) {
            List<Comparison.Row> rows = play(experiment);
            // None where no system that was asked for takes part.
            for (Experiment shown : rows.isEmpty() ? List.<Experiment>of() : experiment.shown()) {
                report(shown, rows);
            }
        }
    }

    private List<Comparison.Row> play(Experiment experiment) throws Exception {
        List<Comparison.Row> rows = new ArrayList<>();
        for (Entrant entrant : experiment.entrants()) {
            if (!options.systems().isEmpty() && !options.systems().contains(entrant)) {
                continue;
            }
            System.err.printf("%s: %s …%n", experiment.title(), entrant.label());
            Findings findings = measure(experiment, entrant);
            findings.metrics()
                    .forEach(metric ->
                            System.err.printf("    %s: %s %s%n", metric.name(), metric.text(), metric.unit()));
            rows.add(new Comparison.Row(entrant.label(), findings));
        }
        return rows;
    }

    /** In a process of its own; a system that fails has no figures, and the others go on. */
    private Findings measure(Experiment experiment, Entrant entrant) throws IOException, InterruptedException {
        Path directory =
                Files.createTempDirectory(options.directory(), experiment.letter() + "-" + entrant.name() + "-");
        Path results = directory.resolve("results");
        Path target = entrant.target(options.root());
        List<String> flags = Stream.concat(options.flags().stream(), entrant.flags().stream())
                .toList();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of(
                "-cp",
                target.resolve("classes") + ":"
                        + Files.readString(target.resolve("classpath.txt")).strip()));
        command.add(entrant.main());
        command.addAll(Driver.measure(
                experiment, results, directory, new Variant(entrant.variant(), options.ttl()), options.plan(), flags));
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
            return new Findings();
        }
        Findings findings = Findings.read(results);
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
