package dev.holdfast.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a process takes: its resident memory over time, its descriptors, what lives in its heap. */
final class Vitals {
    private static final Pattern USED = Pattern.compile("(?:generation|Metaspace)\\s.*?used (\\d+)K");
    private static final double SECONDS_PER_HOUR = 3_600;

    private final NodeProcess node;
    private final List<Sample> samples = new ArrayList<>();
    private final long begun = System.nanoTime();
    private final long pid;
    private boolean remembered;

    /** @param anonymousKb of the resident kilobytes, those that are not of files */
    record Sample(double seconds, long residentKb, long anonymousKb) {}

    /** What was found while nobody asked anything of the node. */
    record Quiet(double seconds, long heapKb, long descriptors, long diskKb) {}

    Vitals(NodeProcess node) {
        this.node = node;
        this.pid = node.pid();
    }

    /** Whether it is still the process that was first looked at. */
    boolean isSame() {
        return node.isAlive() && node.pid() == pid;
    }

    synchronized void sample() throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
        samples.add(new Sample(seconds(), kilobytes(status, "VmRSS:"), kilobytes(status, "RssAnon:")));
    }

    /** How long it has been looked at. */
    double seconds() {
        return (System.nanoTime() - begun) / 1e9;
    }

    private static long kilobytes(List<String> status, String field) {
        return status.stream()
                .filter(line -> line.startsWith(field))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + field));
    }

    /** Those from a moment on. */
    synchronized List<Sample> since(double seconds) {
        return samples.stream().filter(sample -> sample.seconds() >= seconds).toList();
    }

    /** The slope of the line that fits best, in megabytes an hour. */
    static double megabytesPerHour(List<Sample> samples, ToLongFunction<Sample> kilobytes) {
        double meanSeconds =
                samples.stream().mapToDouble(Sample::seconds).average().orElse(0);
        double meanKb = samples.stream().mapToLong(kilobytes).average().orElse(0);
        double products = 0;
        double squares = 0;
        for (Sample sample : samples) {
            double away = sample.seconds() - meanSeconds;
            products += away * (kilobytes.applyAsLong(sample) - meanKb);
            squares += away * away;
        }
        return squares == 0 ? 0 : products / squares * SECONDS_PER_HOUR / 1_024;
    }

    /** Collects all garbage and looks at what is left. */
    Quiet quiet() throws IOException, InterruptedException {
        command("GC.run");
        Matcher used = USED.matcher(command("GC.heap_info"));
        long heapKb = 0;
        while (used.find()) {
            heapKb += Long.parseLong(used.group(1));
        }
        if (heapKb == 0) {
            throw new IllegalStateException("the heap could not be read");
        }
        return new Quiet(seconds(), heapKb, descriptors(), diskKb());
    }

    long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return open.count();
        }
    }

    private long diskKb() throws IOException {
        long bytes = 0;
        List<Path> files;
        try (Stream<Path> found = Files.walk(node.directory())) {
            files = found.toList();
        }
        for (Path file : files) {
            try {
                bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
            } catch (NoSuchFileException e) {
                // Old logs and snapshots go.
            }
        }
        return bytes / 1_024;
    }

    /** Lets the JVM remember what it has taken from the system up to now; once. */
    void remember() throws IOException, InterruptedException {
        if (!remembered) {
            remembered = true;
            command("VM.native_memory baseline");
        }
    }

    /** What it has taken more since then, and for what. */
    String outsideTheHeap() throws IOException, InterruptedException {
        return command("VM.native_memory summary.diff scale=KB")
                .lines()
                .filter(line -> line.startsWith("Total") || line.startsWith("-"))
                .collect(Collectors.joining("\n"));
    }

    /** What the JVM answers to an order of {@code jcmd}. */
    private String command(String order) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid), order)
                .redirectErrorStream(true)
                .start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (jcmd.waitFor() != 0) {
            throw new IOException("jcmd " + order + ": " + said);
        }
        return said;
    }
}
