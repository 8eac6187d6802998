package dev.holdfast.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Holdfast;
import dev.holdfast.cli.Run;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.testports.TestPorts;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class DevTest {
    @TempDir
    Path root;

    @Test
    void a_local_cluster_is_ready_can_be_asked_and_backed_up_and_stops_cleanly() throws Exception {
        int port = TestPorts.next(30);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Streams streams = new Streams(
                new BufferedReader(new StringReader("")), new PrintWriter(out), new PrintWriter(err), false, false);
        FutureTask<Integer> dev =
                new FutureTask<>(() -> Holdfast.run(streams, "dev", "--nodes", "3", "--port", Integer.toString(port)));
        Thread thread = new Thread(dev, "dev");
        thread.start();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> out.toString().contains("Ctrl-C stops it") || !thread.isAlive());
        assertThat(out.toString()).contains("is ready: 3 nodes").contains("127.0.0.1:" + port);

        String all = "127.0.0.1:" + port + ",127.0.0.1:" + (port + 10) + ",127.0.0.1:" + (port + 20);
        Run status = Run.of("", "status", "--endpoints", all);
        assertThat(status.out()).contains("leading", "following", "replicated by Apache Ratis");
        assertThat(status.code()).isEqualTo(ExitCode.OK);

        Path backup = root.resolve("backup.hfb");
        Run saved = Run.of("", "snapshot", "save", backup.toString(), "--endpoints", all);
        assertThat(saved.code()).as(saved.err()).isEqualTo(ExitCode.OK);
        Path restored = root.resolve("n1");
        Run unsure = Run.of(
                "", "snapshot", "restore", backup.toString(), "--node-name", "n1", "--data-dir", restored.toString());
        assertThat(unsure.code()).isEqualTo(ExitCode.USAGE);
        assertThat(unsure.err()).contains("--above", "--first-restore");
        Run sure = Run.of(
                "",
                "snapshot",
                "restore",
                backup.toString(),
                "--node-name",
                "n1",
                "--data-dir",
                restored.toString(),
                "--above",
                "281474976710700");
        assertThat(sure.code()).as(sure.err()).isEqualTo(ExitCode.OK);
        assertThat(sure.out()).contains("epoch 2");
        assertThat(Files.exists(restored.resolve("identity"))).isTrue();

        thread.interrupt();
        assertThat(dev.get()).as(err.toString()).isEqualTo(ExitCode.OK);
    }

    @Test
    void an_odd_number_of_nodes_it_must_be() {
        Run run = Run.of("", "dev", "--nodes", "2");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("1, 3 or 5");
    }

    @Test
    void a_silent_endpoint_is_told_and_the_exit_code_says_so() throws Exception {
        Run run = Run.of("", "status", "--endpoints", "127.0.0.1:" + TestPorts.next(30));
        assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(run.out()).contains("SILENT", "cannot be reached");
    }
}
