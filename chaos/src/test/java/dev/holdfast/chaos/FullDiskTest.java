package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A node whose disk is full stops and says so; the others go on. Needs the right to mount a small file system. */
class FullDiskTest {
    private static final int METADATA_BYTES = 4_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void a_full_disk_stops_its_node_with_a_message_and_the_others_go_on() throws Exception {
        Path small = Files.createDirectory(root.resolve("n3"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=2m", "holdfast-test", small.toString()) == 0);
        try (Cluster cluster = Cluster.start(root, 3, Map.of("election-profile", "fast"))) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4)
                    .heavy(METADATA_BYTES)
                    .start();
            NodeProcess full = cluster.node("n3");
            await().atMost(Duration.ofMinutes(3)).until(() -> !full.isAlive());
            assertThat(full.output()).contains("holdfast: ").containsIgnoringCase("space");
            KillTest.progress(load, 50);
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        } finally {
            run("umount", small.toString());
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
