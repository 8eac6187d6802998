package dev.holdfast.bench.side.holdfast;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What lives on the heap of another JVM, as {@code jcmd} tells. */
final class HeapUse {
    private static final Pattern USED = Pattern.compile("\\btotal\\b.*\\bused (\\d+)K");
    private static final long KILO = 1_024;

    private HeapUse() {}

    /** In bytes, after a full collection. */
    static long afterCollection(long pid) throws IOException, InterruptedException {
        String unused = jcmd(pid, "GC.run");
        return used(jcmd(pid, "GC.heap_info"));
    }

    /** The sum over the generations; metaspace and class space are no part of the heap. */
    static long used(String heapInfo) {
        long bytes = 0;
        for (String line : heapInfo.lines().toList()) {
            Matcher used = USED.matcher(line);
            if (used.find()) {
                bytes += Long.parseLong(used.group(1)) * KILO;
            }
        }
        if (bytes == 0) {
            throw new IllegalArgumentException("no heap in: " + heapInfo);
        }
        return bytes;
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("jcmd " + command + ": " + output);
        }
        return output;
    }
}
