package dev.holdfast.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What tests measured: lines for docs/reliability.md, each with the name of its row. */
final class Figures {
    private static final String MARK = "figure ";

    /** Whether the long form of a test is asked for. */
    static final boolean LONG = Boolean.getBoolean("holdfast.long");

    private Figures() {}

    /** Prints one. */
    static void tell(String row, String format, Object... values) {
        System.out.println(MARK + row + ": " + String.format(Locale.ROOT, format, values));
    }

    /** Prints those that another process has printed to a file. */
    static void show(Path output) throws IOException {
        Files.readAllLines(output).stream()
                .filter(line -> line.startsWith(MARK))
                .forEach(System.out::println);
    }

    /** How much of something a test does: little in the ordinary lane. */
    static int times(int few, int many) {
        return LONG ? many : few;
    }

    /** Such as {@code p50 3, p99 12, longest 15}. */
    static String percentiles(Collection<Long> values) {
        if (values.isEmpty()) {
            return "none";
        }
        List<Long> sorted = values.stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "p50 %d, p99 %d, longest %d",
                percentile(sorted, 50),
                percentile(sorted, 99),
                sorted.get(sorted.size() - 1));
    }

    /** The value that so many percent do not exceed. */
    static long percentile(Collection<Long> values, int percent) {
        List<Long> sorted = values.stream().sorted().toList();
        int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
        return sorted.get(Math.max(rank, 1) - 1);
    }
}
