package dev.holdfast.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.contract.LocalCluster;
import dev.holdfast.testports.TestPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class MemberTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path root;

    private static String freeAddress() {
        return "127.0.0.1:" + TestPorts.next();
    }

    /** What was printed to be run, with another directory. */
    private String[] printedCommand(Subprocess waiting) throws Exception {
        await().atMost(PATIENCE).until(() -> waiting.err().contains("Waiting until"));
        List<String> words = List.of(waiting.out()
                .replaceAll("(?s).*holdfast (server .*)", "$1")
                .replace("\\\n", "")
                .strip()
                .split(" +", -1));
        return words.stream()
                .map(word -> word.startsWith("--data-dir=") ? "--data-dir=" + root.resolve("new") : word)
                .toArray(String[]::new);
    }

    @Test
    void a_node_started_as_printed_joins_and_can_be_removed_again() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root, 3);
                Subprocess waiting = Subprocess.start(
                        "",
                        "member",
                        "add",
                        "n4",
                        "--client",
                        freeAddress(),
                        "--peer",
                        freeAddress(),
                        "-e",
                        cluster.endpoints());
                Subprocess joining = Subprocess.start("", printedCommand(waiting))) {
            Run added = waiting.await();
            assertThat(added.code()).as(added.err() + joining.err()).isEqualTo(ExitCode.OK);
            assertThat(added.out()).endsWith("n4 is a voter.\n");
            assertThat(Run.of("", "members", "-o", "name", "-e", cluster.endpoints())
                            .out()
                            .lines())
                    .contains("n4");
            Run removed = Subprocess.run("", "member", "remove", "n4", "-e", cluster.endpoints());
            assertThat(removed.code()).as(removed.err()).isEqualTo(ExitCode.OK);
            assertThat(removed.out()).isEqualTo("n4 is removed. Left: n1, n2, n3\n");
            Run ended = joining.await();
            assertThat(ended.code()).isEqualTo(ExitCode.FAULT);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "holdfast.long", matches = "true")
    void a_lost_node_is_replaced_under_its_name_by_one_started_as_printed() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root, 3)) {
            cluster.stop(2);
            String two = cluster.address(0) + "," + cluster.address(1);
            try (Subprocess waiting = Subprocess.start(
                            "",
                            "member",
                            "replace",
                            "n3",
                            "--client",
                            freeAddress(),
                            "--peer",
                            freeAddress(),
                            "-e",
                            two);
                    Subprocess joining = Subprocess.start("", printedCommand(waiting))) {
                Run replaced = waiting.await();
                assertThat(replaced.code()).as(replaced.err() + joining.err()).isEqualTo(ExitCode.OK);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(Run.of("", "doctor", "-e", cluster.address(0))
                                        .out())
                                .contains("3 of 3 nodes answer", "Healthy"));
            }
        }
    }

    @Test
    void removal_that_would_leave_no_majority_alive_is_refused() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root, 3)) {
            cluster.stop(2);
            String first = cluster.address(0);
            await().atMost(PATIENCE).untilAsserted(() -> {
                Run run = Run.of("", "member", "add", "n3", "-e", first);
                assertThat(run.out()).isEqualTo("n3 is a voter already.\n");
                assertThat(Run.of("", "members", "-e", first).out())
                        .containsPattern("n3 .* ([6-9]|[1-9]\\d)(\\.\\ds|s) ");
            });
            Run run = Subprocess.run("", "member", "remove", "n2", "-e", first + "," + cluster.address(1));
            assertThat(run.code()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("without n2 only 1 of 2 voters would be alive", "replace n3 first");
        }
    }
}
