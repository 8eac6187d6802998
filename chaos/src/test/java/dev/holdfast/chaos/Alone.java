package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a class in a process and a network of its own, where networks can be made and torn. */
final class Alone {
    private Alone() {}

    /**
     * Runs it, and fails with what it said unless it ends with 0.
     *
     * @param root where it may write; it is told first, before the other arguments
     */
    static void run(Class<?> main, Path root, Duration patience, String... arguments)
            throws IOException, InterruptedException {
        assumeTrue(
                Network.isPermitted(),
                "network namespaces cannot be made here: that takes root, unshare (util-linux) and ip (iproute2)");
        Path report = root.resolve(main.getSimpleName() + ".out");
        List<String> command = new ArrayList<>(ServerClasses.command("512m", main, root.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(Network.command(command))
                .redirectErrorStream(true)
                .redirectOutput(report.toFile())
                .start();
        try {
            assertThat(process.waitFor(patience.toSeconds(), TimeUnit.SECONDS))
                    .as(() -> "it ended; it said: " + read(report))
                    .isTrue();
            assertThat(process.exitValue()).as(() -> read(report)).isZero();
        } finally {
            // SIGTERM: it stops its nodes, and with them the networks go.
            process.destroy();
            process.waitFor();
        }
        Figures.show(report);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
