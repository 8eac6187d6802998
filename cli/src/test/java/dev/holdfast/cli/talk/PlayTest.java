package dev.holdfast.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlayTest {
    private static final String RIGHT = """
            # Alice locks.
            alice opens a lease for 10s
                alice's lease is open
            alice locks orders/42
                alice holds orders/42, token 2
            """;

    private Path right = Path.of("right.txt");
    private Path wrong = Path.of("wrong.txt");
    private Path garbled = Path.of("garbled.txt");

    @BeforeEach
    void write(@TempDir Path folder) throws IOException {
        right = Files.writeString(folder.resolve("right.txt"), RIGHT);
        wrong = Files.writeString(folder.resolve("wrong.txt"), RIGHT.replace("token 2", "token 3"));
        garbled = Files.writeString(folder.resolve("garbled.txt"), "alice lokcs orders/42\n");
    }

    @Test
    void a_right_transcript_is_printed() {
        Run run = Run.of("", "play", right.toString());

        assertThat(run).isEqualTo(new Run(ExitCode.OK, RIGHT.replace("\n", System.lineSeparator()), ""));
    }

    @Test
    void a_difference_is_shown_and_fails() {
        Run run = Run.of("", "play", wrong.toString());

        assertThat(run.code()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(run.out()).contains("    alice holds orders/42, token 2");
        assertThat(run.err())
                .contains("wrong.txt, not as expected at line 4:")
                .contains("  - alice holds orders/42, token 3")
                .contains("  + alice holds orders/42, token 2");
    }

    @Test
    void a_missing_file_is_named() {
        Run run = Run.of("", "play", right + ".not");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("right.txt.not: there is no such file");
    }

    @Test
    void a_garbled_file_is_named_with_the_line_and_what_was_meant() {
        Run run = Run.of("", "play", garbled.toString());

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("garbled.txt: line 1: ", "did you mean \"NAME locks ITEMS\"");
    }

    @Test
    void bytes_that_are_no_text_are_refused(@TempDir Path folder) throws IOException {
        Path binary = Files.write(folder.resolve("binary.txt"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertThat(Run.of("", "play", binary.toString()).code()).isEqualTo(ExitCode.USAGE);
        assertThat(Run.of("", "play", folder.toString()).code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void of_several_files_all_are_played_and_the_worst_counts() {
        Run run = Run.of("", "play", garbled.toString(), wrong.toString(), right.toString());

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).contains("# " + wrong, "# " + right);
    }

    @Test
    void without_a_file_it_is_a_usage_error() {
        Run run = Run.of("", "play");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("FILE");
    }
}
