package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/** A process that writes to a log until it is killed, and prints what was acknowledged. */
final class Child {
    /** Begins the lines that the log itself did not print. */
    static final String ACKNOWLEDGED = "acknowledged ";

    private static final int IN_FLIGHT = 64;

    private Child() {}

    public static void main(String[] arguments) throws Exception {
        Ledger ledger = new Ledger();
        // Small enough that a kill may hit a snapshot or the change to a new file.
        DiskLog log = new DiskLog(new DiskSettings(Logs.SELF, Path.of(arguments[0]), 256 << 10, 64 << 10), ledger);
        try {
            log.start();
        } catch (LogException e) {
            System.out.println(e.getMessage());
            return;
        }
        ArrayDeque<CompletableFuture<Outcome>> inFlight = new ArrayDeque<>();
        int acknowledged = ledger.entries().size();
        for (int next = acknowledged; ; next++) {
            inFlight.add(Logs.propose(log, Ledger.bytes(Integer.toString(next))));
            if (inFlight.size() == IN_FLIGHT) {
                Logs.acknowledged(inFlight.remove());
                System.out.println(ACKNOWLEDGED + acknowledged++);
            }
        }
    }

    static Process start(Path directory) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static String firstLine(Path directory) throws IOException {
        Process child = start(directory);
        try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
            return String.valueOf(out.readLine());
        } finally {
            child.destroyForcibly();
        }
    }
}
