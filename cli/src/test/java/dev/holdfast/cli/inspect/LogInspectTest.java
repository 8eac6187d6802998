package dev.holdfast.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.contract.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class LogInspectTest {
    @TempDir
    Path root;

    /** Starts nodes, takes a lock twice, and stops them. */
    private Path stopped(int size) throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root, size);
                HoldfastClient client = HoldfastClient.builder(cluster.endpoints())
                        .clientId("tester")
                        .build()) {
            for (String purpose : new String[] {"first", "second"}) {
                Grant grant = client.lock("orders/42").purpose(purpose).acquire();
                Grant.Outcome unused = grant.release();
            }
        }
        return root.resolve("n1");
    }

    private static Map<Path, String> contents(Path directory) throws IOException {
        Map<Path, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory).filter(Files::isRegularFile)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                contents.put(file, Arrays.hashCode(Files.readAllBytes(file)) + " " + Files.getLastModifiedTime(file));
            }
        }
        return contents;
    }

    private static Path newest(Path directory, String prefix) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }

    @Test
    void a_cluster_members_log_is_shown_in_words_and_not_touched() throws Exception {
        Path directory = stopped(3);
        Map<Path, String> before = contents(directory);

        Run run = Subprocess.run("", "log", "inspect", directory.toString());

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("node       n1@", "log        ratis (replicated)", "members: n1, n2, n3")
                .containsPattern("lease …[0-9a-f]{4} begins for \"tester\", ttl ")
                .containsPattern("lease …[0-9a-f]{4} asks for orders/42, request \\d+, waits, purpose \"first\"")
                .containsPattern("lease …[0-9a-f]{4} releases orders/42, token \\d+")
                .contains("No damage was found.");
        assertThat(contents(directory)).isEqualTo(before);
    }

    @Test
    void a_single_nodes_log_is_shown_as_json() throws Exception {
        Path directory = stopped(1);

        Run run = Run.of("", "log", "inspect", directory.toString(), "-o", "json", "--from", "1", "--limit", "2");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("\"log\": \"disk (single node, not replicated)\"", "\"damaged\": false", "\"term begins\"")
                .containsPattern("\"entries_left_out\": [1-9]");
    }

    @Test
    void damage_is_told_with_file_and_offset_and_the_exit_code_says_so() throws Exception {
        Path directory = stopped(1);
        Path segment = newest(directory, "log-");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[512 + 40] ^= 1;
        Files.write(segment, bytes);

        Run run = Run.of("", "log", "inspect", directory.toString());

        assertThat(run.code()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(run.out())
                .contains(
                        "DAMAGED at offset 512", "damage: " + segment + " is damaged at offset 512", "does not start");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void what_is_no_data_directory_is_a_usage_error_of_one_line() {
        Run run = Run.of("", "log", "inspect", root.toString());

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines())
                .containsExactly("holdfast log inspect: " + root
                        + " is not the data directory of a node: it has no file \"identity\"");
    }

    @Test
    void a_directory_in_use_is_refused() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root, 1)) {
            Run run = Subprocess.run("", "log", "inspect", root.resolve("n1").toString());

            assertThat(cluster.endpoints()).isNotEmpty();
            assertThat(run.code()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err().lines()).singleElement().asString().contains("is in use by a running node");
        }
    }
}
