package dev.holdfast.bench.side.report;

import java.util.List;

/** One thing that was measured, once for each repetition. */
public record Metric(String name, String unit, List<Double> values) {
    public double median() {
        return Figures.median(values);
    }

    public double least() {
        return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    public double most() {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** The median, and where the others lie if there are any. */
    public String text() {
        String middle = Figures.format(median());
        return values.size() == 1
                ? middle
                : middle + " (" + Figures.format(least()) + "–" + Figures.format(most()) + ")";
    }
}
