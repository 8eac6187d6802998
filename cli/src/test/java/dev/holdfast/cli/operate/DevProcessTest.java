package dev.holdfast.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.testports.TestPorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class DevProcessTest {
    @TempDir
    Path root;

    private static Subprocess ready(String... args) throws Exception {
        Subprocess dev = Subprocess.start("", args);
        await().atMost(Duration.ofSeconds(90)).until(() -> dev.out().contains("Ctrl-C stops it") || !dev.isAlive());
        assertThat(dev.isAlive()).as(dev.err()).isTrue();
        return dev;
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void a_signal_stops_it_cleanly_and_removes_its_temporary_data(String signal) throws Exception {
        try (Subprocess dev = ready("dev", "--nodes", "1", "--port", Integer.toString(TestPorts.next(30)))) {
            assertThat(dev.out())
                    .contains("1 node in this process, not replicated", "./holdfast run", "./holdfast top");
            Path data = Path.of(dev.out().replaceAll("(?s).*data +(\\S+) \\(removed.*", "$1"));
            assertThat(data).isDirectory();
            dev.signal(signal);
            Run run = dev.await();
            assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
            assertThat(run.err()).isEmpty();
            assertThat(run.out()).endsWith("Stopped.\n");
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void it_goes_on_with_the_data_that_is_there_and_remembers_its_ports() throws Exception {
        String data = root.resolve("data").toString();
        String port = Integer.toString(TestPorts.next(30));
        try (Subprocess dev = ready("dev", "--nodes", "3", "--data", data, "--port", port)) {
            Run set = Run.of("", "limits", "set", "TTL_MIN_MILLIS", "123", "-e", "127.0.0.1:" + port);
            assertThat(set.code()).as(set.err()).isEqualTo(ExitCode.OK);
            dev.signal("INT");
            assertThat(dev.await().code()).isEqualTo(ExitCode.OK);
        }
        Run other = Run.of("", "dev", "--nodes", "5", "--data", data);
        assertThat(other.code()).isEqualTo(ExitCode.USAGE);
        assertThat(other.err()).contains("was made with --nodes 3 --port " + port);
        try (Subprocess dev = ready("dev", "--data", data)) {
            assertThat(dev.out()).contains("3 nodes", "127.0.0.1:" + port);
            assertThat(Run.of("", "limits", "-e", "127.0.0.1:" + port).out()).containsPattern("TTL_MIN_MILLIS +123 ");
        }
        assertThat(Files.exists(root.resolve("data/n1/identity"))).isTrue();
    }

    @Test
    void a_port_in_use_is_told_at_once_with_what_to_do() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int first = taken.getLocalPort() - 10;
            Run run = Subprocess.run("", "dev", "--port", Integer.toString(first));
            assertThat(run.code()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err().lines()).singleElement().asString().contains("is in use", "--port");
        }
    }

    @Test
    void a_port_that_leaves_no_room_is_a_usage_error() {
        Run run = Run.of("", "dev", "--port", "65530");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--port: 65530 leaves no room for the ports of 3 nodes");
    }
}
