package dev.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.contract.LocalCluster;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holders that are cut off from the cluster. */
@Timeout(300)
class RunLossTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path root;

    @Test
    void behaviour_03_cut_off_the_command_and_all_it_started_are_ended() throws Exception {
        try (LocalCluster cluster = LocalCluster.behindProxy(root);
                Subprocess polite = Subprocess.start(
                        cluster.endpoints(),
                        "run",
                        "polite",
                        "--ttl",
                        "2s",
                        "--",
                        "sh",
                        "-c",
                        "trap 'echo asked; exit 0' TERM; echo on; while :; do sleep 0.1; done");
                Subprocess stubborn = Subprocess.start(
                        cluster.endpoints(),
                        "run",
                        "stubborn",
                        "--ttl",
                        "2s",
                        "--grace",
                        "500ms",
                        "--",
                        "sh",
                        "-c",
                        "trap '' TERM; sleep 1000 & echo $!; wait; echo late")) {
            await().atMost(PATIENCE)
                    .until(() -> polite.out().endsWith("on\n") && stubborn.out().endsWith("\n"));
            long background = Long.parseLong(stubborn.out().strip());
            cluster.proxy().cut();

            Run asked = polite.await();
            Run killed = stubborn.await();
            assertThat(asked.code()).isEqualTo(ExitCode.LOST);
            assertThat(asked.out()).isEqualTo("on\nasked\n");
            assertThat(asked.err())
                    .contains("the lock polite was lost: UNREACHABLE")
                    .doesNotContain("\tat ");
            assertThat(killed.code()).isEqualTo(ExitCode.LOST);
            assertThat(killed.out()).doesNotContain("late");
            await().atMost(PATIENCE).until(() -> ProcessHandle.of(background).isEmpty());
        }
    }
}
