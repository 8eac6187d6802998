package dev.holdfast.bench.side.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A comparison as lying bars, one for each headline figure of each system, with a line from least to most. */
public final class BarChart {
    private static final int WIDTH = 760;
    private static final int LEFT = 220;
    private static final int RIGHT = 90;
    private static final int TOP = 64;
    private static final int BAR = 18;
    private static final int GAP = 14;
    private static final int BOTTOM = 56;
    private static final int TICKS = 5;

    /** First ours, then the others; a second figure of the same system is paler. */
    private static final List<String> OURS = List.of("#c2571a", "#e8a77c");

    private static final List<String> OTHERS = List.of("#4a6a8a", "#a3b8cc");

    private final Comparison comparison;
    private final StringBuilder svg = new StringBuilder();
    private final double scale;
    private final double step;

    BarChart(Comparison comparison) {
        this.comparison = comparison;
        double most = comparison.rows().stream()
                .flatMap(row -> comparison.headline().stream().flatMap(name -> row.findings().metric(name).stream()))
                .mapToDouble(Metric::most)
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        step = niceStep(most / TICKS);
        scale = (WIDTH - LEFT - RIGHT) / (Math.ceil(most / step) * step);
    }

    /** 1, 2 or 5 times a power of ten, not below the given. */
    static double niceStep(double least) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(least, 1e-9))));
        for (int factor : List.of(1, 2, 5)) {
            if (factor * power >= least * 0.999_999) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    public String svg() {
        int rowHeight = comparison.headline().size() * BAR + GAP;
        int axis = TOP + comparison.rows().size() * rowHeight;
        int height = axis + BOTTOM;
        svg.setLength(0);
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"13\" fill=\"#222\">",
                WIDTH, height);
        line("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", WIDTH, height);
        text(LEFT, 24, "start", comparison.title(), " font-size=\"16\" font-weight=\"bold\"");
        legend();
        ticks(axis);
        int y = TOP + GAP / 2;
        for (int i = 0; i < comparison.rows().size(); i++) {
            row(comparison.rows().get(i), y, i == 0 || isOurs(i) ? OURS : OTHERS);
            y += rowHeight;
        }
        line("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#222\"/>", LEFT, TOP, LEFT, axis);
        text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, height - 12, "middle", axisLabel(), "");
        line("</svg>");
        return svg.toString();
    }

    /** A variant of the first system is named after it. */
    private boolean isOurs(int row) {
        return comparison
                .rows()
                .get(row)
                .label()
                .startsWith(comparison.rows().get(0).label());
    }

    private String axisLabel() {
        String names = String.join(", ", comparison.headline());
        Optional<String> unit = comparison.rows().stream()
                .flatMap(row -> row.findings().metric(comparison.headline().get(0)).stream())
                .map(Metric::unit)
                .findFirst();
        return unit.map(found -> names + " (" + found + "): median, line from least to most")
                .orElse(names);
    }

    private void legend() {
        if (comparison.headline().size() < 2) {
            return;
        }
        double x = LEFT;
        for (int i = 0; i < comparison.headline().size(); i++) {
            line(
                    "<rect x=\"%.1f\" y=\"38\" width=\"12\" height=\"12\" fill=\"%s\"/>",
                    x, OTHERS.get(i % OTHERS.size()));
            text(x + 18, 49, "start", comparison.headline().get(i), "");
            x += 40 + 8 * comparison.headline().get(i).length();
        }
    }

    private void ticks(int axis) {
        for (double value = 0; LEFT + value * scale <= WIDTH - RIGHT + 0.5; value += step) {
            double x = LEFT + value * scale;
            line("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>", x, TOP, x, axis);
            text(x, axis + 18, "middle", value == 0 ? "0" : Figures.format(value), "");
        }
    }

    private void row(Comparison.Row row, int top, List<String> colours) {
        int middle = top + comparison.headline().size() * BAR / 2;
        text(LEFT - 10, middle + 5, "end", row.label(), "");
        for (int i = 0; i < comparison.headline().size(); i++) {
            int y = top + i * BAR;
            Optional<Metric> found = row.findings().metric(comparison.headline().get(i));
            if (found.isPresent()) {
                bar(found.get(), y, colours.get(i % colours.size()));
            } else {
                text(LEFT + 6, y + BAR - 5, "start", "–", "");
            }
        }
    }

    private void bar(Metric metric, int y, String colour) {
        double end = LEFT + metric.most() * scale;
        line(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                LEFT, y + 1, metric.median() * scale, BAR - 2, colour);
        double middle = y + BAR / 2.0;
        line(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#222\" stroke-width=\"1.5\"/>",
                LEFT + metric.least() * scale, middle, end, middle);
        text(end + 6, y + BAR - 5, "start", Figures.format(metric.median()), "");
    }

    private void text(double x, double y, String anchor, String words, String more) {
        line("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>", x, y, anchor, more, escaped(words));
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private void line(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
