package dev.holdfast.bench.side.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The few sums that measurements need. */
public final class Figures {
    private Figures() {}

    /** The value that this share of the samples does not exceed. Sorts them. */
    public static long percentile(long[] samples, double share) {
        if (samples.length == 0) {
            throw new IllegalArgumentException("no samples");
        }
        Arrays.sort(samples);
        int rank = (int) Math.ceil(share * samples.length);
        return samples[Math.max(0, rank - 1)];
    }

    /** The middle one, or the mean of the two in the middle. */
    public static double median(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no values");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The longest time from a start to the first of some moments, or from one of them to the next. */
    public static long longestGap(long start, long[] moments) {
        long[] after = Arrays.stream(moments)
                .map(moment -> moment - start)
                .filter(nanos -> nanos >= 0)
                .sorted()
                .toArray();
        if (after.length == 0) {
            throw new IllegalArgumentException("nothing happened after the start");
        }
        long longest = after[0];
        for (int i = 1; i < after.length; i++) {
            longest = Math.max(longest, after[i] - after[i - 1]);
        }
        return longest;
    }

    /** Three digits that count, with commas between thousands. */
    public static String format(double value) {
        if (!Double.isFinite(value)) {
            return "∞";
        }
        double size = Math.abs(value);
        if (size >= 100) {
            double step = Math.pow(10, Math.floor(Math.log10(size)) - 2);
            return String.format(Locale.ROOT, "%,d", Math.round(Math.round(value / step) * step));
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
    }
}
