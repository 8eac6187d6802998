package dev.holdfast.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Golden;
import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.contract.LocalCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class DoctorTest {
    @TempDir
    Path root;

    @Test
    void a_cluster_that_loses_one_node_after_the_other_is_told_what_to_do() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root, 3)) {
            String first = cluster.address(0);
            String twice = first.replace("127.0.0.1", "localhost") + "," + cluster.endpoints();
            eventually(() -> assertThat(Run.at(twice, "doctor").out()).contains("3 of 3 nodes answer", "states equal"));
            eventually(() -> {
                assertThat(names(first)).isEmpty();
                Run healthy = Subprocess.run(first, "doctor");
                assertThat(healthy.code()).isEqualTo(ExitCode.OK);
                assertThat(healthy.err()).isEmpty();
                Golden.check("doctor/healthy.txt", masked(healthy.out()));
            });

            cluster.stop(2);
            eventually(() -> {
                assertThat(names(first)).containsExactly("NODE_SILENT", "QUORUM_AT_RISK");
                Run oneDown = Run.at(first, "doctor");
                assertThat(oneDown.code()).isEqualTo(ExitCode.DIFFERENT);
                Golden.check("doctor/one-node-down.txt", masked(oneDown.out()));
            });

            cluster.stop(1);
            eventually(() -> {
                assertThat(names(first)).containsExactly("NODE_SILENT", "NO_QUORUM");
                Run noQuorum = Run.at(first, "doctor");
                assertThat(noQuorum.code()).isEqualTo(ExitCode.DIFFERENT);
                Golden.check("doctor/no-quorum.txt", masked(noQuorum.out()));
            });
        }
    }

    /** Nodes need time to notice; and on a busy machine one that is well may be silent, or not led, for a moment. */
    private static void eventually(ThrowingRunnable checks) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(checks);
    }

    private static List<String> names(String address) {
        return Run.at(address, "doctor", "-o", "name").out().lines().toList();
    }

    /** Without addresses, entry numbers and who happens to lead. */
    private static String masked(String output) {
        return output.replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:PORT")
                .replaceAll("n\\d leads", "nX leads")
                .replaceAll("after entry \\d+", "after entry N")
                .replaceAll("\\d+ leases, \\d+ locks", "N leases, N locks");
    }

    @Test
    void a_single_node_is_told_that_it_is_not_replicated() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root, 1)) {
            Run run = Run.of("", "doctor", "-e", cluster.endpoints());
            assertThat(run.out()).contains("WARNING: n1 is a single node: single node, not replicated");
            assertThat(run.code()).isEqualTo(ExitCode.DIFFERENT);
        }
    }

    @Test
    void nobody_there_is_a_problem_that_names_every_address() {
        Run run = Run.of("", "doctor", "-e", "127.0.0.1:1,127.0.0.1:2");
        assertThat(run.out()).contains("None of 2 nodes answers.", "PROBLEM: 127.0.0.1:1", "PROBLEM: 127.0.0.1:2");
        assertThat(run.code()).isEqualTo(ExitCode.DIFFERENT);
    }
}
