package dev.holdfast.cli.load;

import dev.holdfast.cli.output.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What a run gave, for people and for scripts. */
record Report(Plan plan, Load.Outcome outcome) {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};
    private static final int BAR = 50;
    private static final long FIRST_STEP_MICROS = 125;

    double pairsPerSecond() {
        Duration measured = outcome.measured();
        return measured.isZero() ? 0 : outcome.meter().pairs() * 1e9 / measured.toNanos();
    }

    long failures() {
        return outcome.meter().failures().values().stream()
                .mapToLong(count -> count)
                .sum();
    }

    String headline() {
        return String.format(
                Locale.ROOT,
                "%,d pairs in %.1f s: %,.1f pairs/s, %s",
                outcome.meter().pairs(),
                outcome.measured().toMillis() / 1_000.0,
                pairsPerSecond(),
                failures() == 0 ? "no failures" : failures() + " failures");
    }

    Table latencies() {
        Table table = new Table("MILLISECONDS", "MEAN", "P50", "P90", "P99", "P99.9", "MAX");
        Meter meter = outcome.meter();
        row(table, "acquire", meter.acquire());
        row(table, "release", meter.release());
        row(table, "pair", meter.pair());
        return table;
    }

    private static void row(Table table, String name, Histogram histogram) {
        List<Object> cells = new ArrayList<>(List.of(name, millis(histogram.getMean())));
        for (double percentile : PERCENTILES) {
            cells.add(millis((double) histogram.getValueAtPercentile(percentile)));
        }
        cells.add(millis((double) histogram.getMaxValue()));
        table.row(cells.toArray());
    }

    private static String millis(double micros) {
        return String.format(Locale.ROOT, "%.2f", micros / 1_000);
    }

    /** How many pairs took how long, in steps that double. */
    List<String> bars() {
        List<String> lines = new ArrayList<>();
        long all = outcome.meter().pairs();
        long most = steps().values().stream().mapToLong(count -> count).max().orElse(0);
        steps().forEach((upTo, count) -> lines.add(String.format(
                Locale.ROOT,
                "%10s ms  %6.2f %%  %s",
                upTo < 1_000 ? String.format(Locale.ROOT, "%.3f", upTo / 1_000.0) : Long.toString(upTo / 1_000),
                100.0 * count / all,
                "#".repeat((int) Math.ceil((double) BAR * count / Math.max(1, most))))));
        return lines;
    }

    /** Counts of pairs by the highest latency of their step, in microseconds, from the first to the last that has any. */
    private Map<Long, Long> steps() {
        Map<Long, Long> steps = new LinkedHashMap<>();
        Histogram pair = outcome.meter().pair();
        long from = 0;
        for (long upTo = FIRST_STEP_MICROS; from <= pair.getMaxValue(); upTo *= 2) {
            long count = pair.getCountBetweenValues(from, upTo - 1);
            if (count > 0 || !steps.isEmpty()) {
                steps.put(upTo, count);
            }
            from = upTo;
        }
        return steps;
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("threads", plan.threads());
        json.put("clients", plan.clients());
        json.put("keys", plan.keys());
        json.put("shared_keys", plan.sharedKeys());
        json.put("shared_mode", plan.sharedMode());
        json.put("rate", plan.rate());
        json.put("seconds", outcome.measured().toMillis() / 1_000.0);
        json.put("pairs", outcome.meter().pairs());
        json.put("pairs_per_second", pairsPerSecond());
        json.put("failures", outcome.meter().failures());
        json.put("acquire_us", json(outcome.meter().acquire()));
        json.put("release_us", json(outcome.meter().release()));
        json.put("pair_us", json(outcome.meter().pair()));
        json.put(
                "pair_histogram",
                steps().entrySet().stream()
                        .map(step -> Map.of("up_to_us", step.getKey(), "pairs", step.getValue()))
                        .toList());
        return json;
    }

    private static Map<String, Object> json(Histogram histogram) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("mean", histogram.getMean());
        for (double percentile : PERCENTILES) {
            String name = percentile == Math.rint(percentile) ? Long.toString((long) percentile) : "" + percentile;
            json.put("p" + name, histogram.getValueAtPercentile(percentile));
        }
        json.put("max", histogram.getMaxValue());
        return json;
    }
}
