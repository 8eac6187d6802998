package dev.holdfast.bench.side.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What one run of a system found: figures by name, and the versions it ran with. */
public final class Findings {
    private static final String VERSIONS = "versions";
    private static final String SEPARATOR = "\t";

    private final Map<String, Metric> metrics = new LinkedHashMap<>();
    private String versions = "";

    public void versions(String text) {
        versions = text;
    }

    public String versions() {
        return versions;
    }

    /** Adds the figure of one more repetition. */
    public void add(String name, String unit, double value) {
        List<Double> values = new ArrayList<>();
        metric(name).ifPresent(known -> values.addAll(known.values()));
        values.add(value);
        metrics.put(name, new Metric(name, unit, List.copyOf(values)));
    }

    public Optional<Metric> metric(String name) {
        return Optional.ofNullable(metrics.get(name));
    }

    public List<Metric> metrics() {
        return List.copyOf(metrics.values());
    }

    /** Written by the process that measured, and read by the one that started it. */
    public void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(VERSIONS + SEPARATOR + versions);
        for (Metric metric : metrics()) {
            Stream<String> values = metric.values().stream().map(String::valueOf);
            lines.add(String.join(
                    SEPARATOR,
                    Stream.concat(Stream.of(metric.name(), metric.unit()), values)
                            .toList()));
        }
        Files.write(file, lines);
    }

    public static Findings read(Path file) throws IOException {
        Findings findings = new Findings();
        for (String line : Files.readAllLines(file)) {
            String[] parts = line.split(SEPARATOR, -1);
            if (parts[0].equals(VERSIONS)) {
                findings.versions(parts[1]);
                continue;
            }
            for (int i = 2; i < parts.length; i++) {
                findings.add(parts[0], parts[1], Double.parseDouble(parts[i]));
            }
        }
        return findings;
    }
}
