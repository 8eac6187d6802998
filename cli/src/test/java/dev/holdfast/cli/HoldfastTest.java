package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.exit.ExitCode;
import org.junit.jupiter.api.Test;

class HoldfastTest {
    @Test
    void help_shows_the_commands_with_examples() {
        Run run = Run.of("", "--help");

        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("Usage: holdfast", "Examples:", "holdfast dev", "holdfast play");
    }

    @Test
    void version_is_told() {
        Run run = Run.of("", "--version");

        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith("holdfast ");
    }

    @Test
    void help_of_a_command_tells_its_exit_codes() {
        assertThat(Run.of("", "help", "play").out()).contains("Usage: holdfast play", "Exit codes:", "64");
    }

    @Test
    void a_wrong_command_suggests_the_right_one() {
        Run run = Run.of("", "paly");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("'paly'", "Did you mean: holdfast play?");
    }

    @Test
    void a_wrong_option_is_a_usage_error() {
        assertThat(Run.of("", "dev", "--prot").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void no_command_says_what_could_be_done() {
        Run run = Run.of("");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("holdfast dev", "See 'holdfast --help'");
    }
}
