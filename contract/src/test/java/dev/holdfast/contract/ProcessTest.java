package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients whose process is stopped, or whose wall clock jumps. */
@Timeout(120)
class ProcessTest {
    @TempDir
    Path root;

    private LocalCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = LocalCluster.start(root.resolve("cluster"), 1);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void behaviour_06_a_holder_that_was_stopped_for_longer_than_its_lease_knows_when_it_wakes_up() throws Exception {
        try (HolderProcess holder = HolderProcess.start(cluster.endpoints(), "a", Duration.ofSeconds(2), Map.of());
                HoldfastClient other = HoldfastClient.create(cluster.endpoints())) {
            assertThat(holder.isValid()).isTrue();
            holder.signal("STOP");
            Grant next = other.lock("a").acquire();
            holder.signal("CONT");
            assertThat(holder.isValid()).isFalse();
            assertThat(holder.state()).isEqualTo("LOST");
            assertThat(next.isValid()).isTrue();
        }
    }

    @Test
    void behaviour_15_a_jump_of_the_wall_clock_means_jeopardy_at_the_most() throws Exception {
        Optional<Path> library = fakeTime();
        assumeTrue(library.isPresent(), "libfaketime is not installed");
        Path offset = Files.writeString(root.resolve("offset"), "+0");
        Map<String, String> environment = Map.of(
                "LD_PRELOAD", library.get().toString(),
                "FAKETIME_TIMESTAMP_FILE", offset.toString(),
                // Read again every second: more often, a process is busy with nothing else.
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "DONT_FAKE_MONOTONIC", "1");
        try (HolderProcess holder = HolderProcess.start(cluster.endpoints(), "a", Duration.ofSeconds(6), environment)) {
            for (long seconds : new long[] {3_600, 7_200, -86_400, 1}) {
                Files.writeString(offset, (seconds < 0 ? "" : "+") + seconds);
                await().atMost(Duration.ofSeconds(20)).until(() -> {
                    assertThat(holder.isValid()).isTrue();
                    return Math.abs(holder.wallMillis() - System.currentTimeMillis() - seconds * 1_000) < 30_000;
                });
                assertThat(holder.isValid()).isTrue();
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> holder.state().equals("HELD"));
            }
        }
    }

    private static Optional<Path> fakeTime() throws Exception {
        try (Stream<Path> libraries = Files.find(
                Path.of("/usr/lib"),
                4,
                (path, attributes) -> path.getFileName().toString().equals("libfaketime.so.1"))) {
            return libraries.findFirst();
        }
    }
}
