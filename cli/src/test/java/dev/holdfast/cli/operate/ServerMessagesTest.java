package dev.holdfast.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What somebody reads whose node does not start. */
@Timeout(120)
class ServerMessagesTest {
    @TempDir
    Path root;

    private String settings(String... lines) throws Exception {
        return Files.write(root.resolve("holdfast.conf"), List.of(lines)).toString();
    }

    private static void isOneUsageLine(Run run, String... parts) {
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines()).singleElement().asString().contains(parts);
    }

    @Test
    void missing_file_is_named() throws Exception {
        Run run = Subprocess.run("", "server", "--config", "/no/such/file", "--node-name", "n1", "--data-dir", "x");
        isOneUsageLine(run, "holdfast server: settings file /no/such/file: does not exist");
    }

    @Test
    void unknown_key_is_named_with_its_line_and_the_nearest_one() throws Exception {
        String file =
                settings("node.name = n1", "data.dir = " + root.resolve("data"), "client.adress = 127.0.0.1:4600");
        Run run = Run.of("", "server", "--config", file);
        isOneUsageLine(run, "client.adress", "holdfast.conf:3", "did you mean client.address?");
    }

    @Test
    void bad_value_is_named_with_what_is_allowed() throws Exception {
        String file = settings("node.name = n1", "data.dir = " + root.resolve("data"), "election.profile = quick");
        Run run = Run.of("", "server", "--config", file);
        isOneUsageLine(run, "election.profile", "quick", "fast");
    }

    @Test
    void unknown_option_suggests_the_help() {
        Run run = Run.of("", "server", "--nod-name", "n1");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains("--nod-name", "See 'holdfast server --help'")
                .doesNotContain("\tat ");
    }

    @Test
    void port_in_use_is_named_and_ends_the_node() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            String file =
                    settings("node.name = n1", "data.dir = " + root.resolve("data"), "client.address = " + address);
            Run run = Subprocess.run("", "server", "--config", file);
            assertThat(run.code()).isEqualTo(ExitCode.FAULT);
            assertThat(run.err())
                    .contains("client.address: cannot listen on " + address)
                    .doesNotContain("\tat ");
        }
    }
}
