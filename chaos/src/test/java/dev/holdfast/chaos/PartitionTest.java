package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A network that is torn. Needs the right to make network namespaces; what is tested is in {@link Partition}. */
class PartitionTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void a_leader_cut_off_grants_nothing_and_reads_nothing_old_while_the_majority_goes_on() throws Exception {
        assumeTrue(
                Network.isPermitted(),
                "network namespaces cannot be made here: that takes root, unshare (util-linux) and ip (iproute2)");
        Path report = root.resolve("partition.out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xmx512m"));
        command.addAll(ServerClasses.options());
        command.addAll(List.of(Partition.class.getName(), root.toString()));
        Process process = new ProcessBuilder(Network.command(command))
                .redirectErrorStream(true)
                .redirectOutput(report.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES))
                    .as(() -> "it ended; it said: " + read(report))
                    .isTrue();
            assertThat(process.exitValue()).as(() -> read(report)).isZero();
        } finally {
            // SIGTERM: it stops its nodes, and with them the networks go.
            process.destroy();
            process.waitFor();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
