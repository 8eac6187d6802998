package dev.holdfast.bench.side.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What several systems showed in one experiment.
 *
 * @param headline names of the figures that are compared with those of the first system
 */
public record Comparison(String title, List<String> headline, List<Row> rows) {
    private static final String NOTHING = "–";

    /** One system's part. Empty findings if it failed or gave up. */
    public record Row(String label, Findings findings) {}

    /** A table in Markdown, ready to be pasted. */
    public String markdown() {
        List<Metric> columns = columns();
        StringBuilder text = new StringBuilder("| " + title + " |");
        for (Metric column : columns) {
            text.append(' ')
                    .append(column.name())
                    .append(", ")
                    .append(column.unit())
                    .append(" |");
            if (isCompared(column)) {
                text.append(" beside ").append(rows.get(0).label()).append(" |");
            }
        }
        long cells = text.chars().filter(character -> character == '|').count() - 1;
        text.append("\n|").append("---|".repeat((int) cells)).append('\n');
        for (Row row : rows) {
            text.append("| ").append(row.label()).append(" |");
            for (Metric column : columns) {
                Optional<Metric> found = row.findings().metric(column.name());
                text.append(' ').append(found.map(Metric::text).orElse(NOTHING)).append(" |");
                if (isCompared(column)) {
                    text.append(' ')
                            .append(found.flatMap(this::ratio).orElse(NOTHING))
                            .append(" |");
                }
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** The figures that some system has, in their order. */
    private List<Metric> columns() {
        return rows.stream()
                .max((a, b) -> Integer.compare(
                        a.findings().metrics().size(), b.findings().metrics().size()))
                .map(row -> row.findings().metrics())
                .orElseThrow();
    }

    private boolean isCompared(Metric metric) {
        return rows.size() > 1 && headline.contains(metric.name());
    }

    private Optional<String> ratio(Metric metric) {
        return rows.get(0)
                .findings()
                .metric(metric.name())
                .map(ours -> String.format(Locale.ROOT, "%.2f ×", metric.median() / ours.median()));
    }

    /** Every value, one line for each figure of each system. */
    public List<String> csv() {
        List<String> lines = new ArrayList<>();
        lines.add("experiment,system,figure,unit,median,least,most,values");
        for (Row row : rows) {
            for (Metric metric : row.findings().metrics()) {
                lines.add(String.join(
                        ",",
                        quoted(title),
                        quoted(row.label()),
                        quoted(metric.name()),
                        quoted(metric.unit()),
                        Double.toString(metric.median()),
                        Double.toString(metric.least()),
                        Double.toString(metric.most()),
                        String.join(
                                " ",
                                metric.values().stream().map(String::valueOf).toList())));
            }
        }
        return lines;
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    /** The headline's figures as bars. */
    public BarChart chart() {
        return new BarChart(this);
    }
}
