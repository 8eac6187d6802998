package dev.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Golden;
import dev.holdfast.cli.Run;
import dev.holdfast.cli.exit.ExitCode;
import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HelpTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run", "acquire", "release", "renew", "elect", "ls", "show", "explain", "plan", "history", "watch",
                "leases", "break"
            })
    void help_of_a_command_is_as_written_down_and_has_examples(String command) throws IOException {
        Run help = Run.of("", command, "--help");

        assertThat(help.code()).isEqualTo(ExitCode.OK);
        assertThat(help.out()).contains("Example", "holdfast " + command);
        Golden.check("help/" + command + ".txt", help.out());
    }
}
