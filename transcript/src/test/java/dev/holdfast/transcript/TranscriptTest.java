package dev.holdfast.transcript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.transcript.step.StepParser;
import dev.holdfast.transcript.step.TranscriptException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TranscriptTest {
    private static final String TRANSCRIPT = """
            # Prose stays as it is.
            alice opens a lease for 10s
                alice's lease is open

            alice locks orders/42
                alice holds orders/42, token 2
            bob opens a lease for 10s
                bob's lease is open
            bob locks orders/42
                bob waits for orders/42, 1st in line, behind alice
            alice releases orders/42
                alice released orders/42
                bob holds orders/42, token 6
            """;

    @Test
    void a_transcript_that_is_right_is_as_expected_and_unchanged() {
        TranscriptRun run = TranscriptRun.of(Transcript.parse(TRANSCRIPT));

        assertThat(run.differences()).isEmpty();
        assertThat(run.text()).isEqualTo(TRANSCRIPT);
    }

    @Test
    void a_tampered_expectation_is_found_and_shown_line_by_line() {
        TranscriptRun run = TranscriptRun.of(Transcript.parse(TRANSCRIPT.replace("token 6", "token 7")));

        assertThat(run.isAsExpected()).isFalse();
        assertThat(run.differences())
                .singleElement()
                .satisfies(difference -> assertThat(difference.describe()).isEqualTo("""
                        line 11:
                        alice releases orders/42
                            alice released orders/42
                          - bob holds orders/42, token 7
                          + bob holds orders/42, token 6
                        """));
        assertThat(run.text()).isEqualTo(TRANSCRIPT);
    }

    @Test
    void a_missing_and_an_additional_expectation_are_found() {
        String text = TRANSCRIPT
                .replace("    alice released orders/42\n", "")
                .replace("token 2\n", "token 2\n    and so on\n");

        assertThat(TranscriptRun.of(Transcript.parse(text)).differences())
                .extracting(Difference::line)
                .containsExactly(5, 12);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "alice lokcs orders/42 | did you mean \"NAME locks ITEMS\", as in \"alice locks orders/42\"?",
                "alice opens lease for 10s | did you mean \"NAME opens a lease for DURATION\"",
                "alice opens a lease for 10 | did you mean \"NAME opens a lease for DURATION\"",
                "the leader chnages | did you mean \"the leader changes\"",
                "restor the backup | did you mean \"restore the backup\"",
                "alice locks a, wait up to 5s | did you mean \"waits up to DURATION\"? Possible are",
                "the leader changes, now | nothing may follow \"the leader changes\"",
                "alice locks a, in thread 1, in thread 2 | \"in thread NUMBER\" is said twice",
                "alice locks two words | is nothing to lock; expected KEY",
                "the limit KEY_BYTE becomes 16 | there is no limit KEY_BYTE; did you mean KEY_BYTES?",
                "restore the backup | either \"first restore\" or \"above token TOKEN\"",
                "alice opens a lease for 99999999999999999999s | the number 99999999999999999999 is too large",
                "alice opens a lease for 999999999999999999d | the duration 999999999999999999d is too long",
                "after 2s, the leader changes | cannot be part of an entry",
                "gibberish | is not understood; say something like",
            })
    void garbage_is_refused_with_its_line_and_the_nearest_form(String line, String message) {
        assertThatThrownBy(() -> Transcript.parse("# A comment.\n\n" + line + "\n"))
                .isInstanceOf(TranscriptException.class)
                .hasMessageStartingWith("line 3: ")
                .hasMessageContaining(message);
    }

    @Test
    void what_comes_out_needs_something_done_before_it() {
        assertThatThrownBy(() -> Transcript.parse("# A comment.\n    alice's lease is open\n"))
                .hasMessageStartingWith("line 2: ")
                .hasMessageContaining("nothing was done that it comes out of");
    }

    @Test
    void a_wrong_indent_is_refused() {
        assertThatThrownBy(() -> Transcript.parse("alice opens a lease for 10s\n  alice's lease is open\n"))
                .hasMessageStartingWith("line 2: ")
                .hasMessageContaining("indented by four spaces");
    }

    @Test
    void an_empty_block_is_refused() {
        assertThatThrownBy(() -> Transcript.parse("in one entry:\n    nothing\n"))
                .hasMessageContaining("is followed by no line");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "alice locks a | alice has no lease yet; say \"alice opens a lease for 10s\" first",
                "replica 4 stops | there is no replica 4; there are 3",
                "restore the backup, first restore | there is no backup",
                "finish the snapshot | no snapshot was started",
                "olivia takes a from alice | alice was never granted a; say which grant is meant",
            })
    void what_cannot_be_played_is_refused_with_its_line(String line, String message) {
        Transcript transcript = Transcript.parse("# A comment.\n" + line + "\n");

        assertThatThrownBy(() -> TranscriptRun.of(transcript))
                .isInstanceOf(TranscriptException.class)
                .hasMessageStartingWith("line 2: ")
                .hasMessageContaining(message);
    }

    @Test
    void every_example_in_the_help_is_a_line_of_the_language() {
        assertThat(StepParser.help())
                .isNotEmpty()
                .allSatisfy(help -> assertThat(StepParser.parse(help.example())).isNotNull());
    }
}
