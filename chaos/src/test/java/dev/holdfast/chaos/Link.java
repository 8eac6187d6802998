package dev.holdfast.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The way between one node's network and ours, at times a bad one: the program {@code link.c}. */
final class Link implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;

    /**
     * How good a link is.
     *
     * @param lossPercent of its packets, each way
     * @param bitsPerSecond 0 for as many as come
     */
    record Quality(int lossPercent, int delayMillis, int jitterMillis, long bitsPerSecond) {
        static final Quality PERFECT = new Quality(0, 0, 0, 0);
    }

    /** Joins the network of a process with ours, as that of node n1, n2 …. */
    Link(Path program, long pid, int node) throws IOException {
        process = new ProcessBuilder(
                        program.toString(),
                        Long.toString(pid),
                        "to" + node,
                        "10.99." + node + ".254",
                        "10.99." + node + ".1")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.US_ASCII);
        awaitDone();
    }

    void make(Quality quality) throws IOException {
        String line = "%d %d %d %d%n"
                .formatted(
                        quality.lossPercent(), quality.delayMillis(), quality.jitterMillis(), quality.bitsPerSecond());
        process.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        awaitDone();
    }

    private void awaitDone() throws IOException {
        if (!"ok".equals(answers.readLine())) {
            throw new IOException("the link has ended");
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
    }
}
