package dev.holdfast.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.result.Refusal;
import dev.holdfast.transcript.step.StepParser;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The scenarios together: whether they say all there is to say. */
class SpecificationTest {
    private static final List<String> TEXTS =
            Scenarios.files().stream().map(Scenarios::read).toList();

    @Test
    void every_scenario_begins_with_the_rule_it_shows() {
        for (String text : TEXTS) {
            assertThat(text).startsWith("# ").contains("\n    ");
        }
    }

    @Test
    void every_refusal_is_shown() {
        for (Refusal refusal : Refusal.values()) {
            assertThat(TEXTS).anyMatch(text -> text.contains("(" + refusal + ")"));
        }
    }

    @Test
    void every_form_and_every_clause_is_shown() {
        for (StepParser.Help help : StepParser.help()) {
            assertIsSaid(help.form());
            help.clauses().forEach(SpecificationTest::assertIsSaid);
        }
    }

    private static void assertIsSaid(String phrase) {
        // What stands between the slots, in order, within one line.
        String pattern = ".*" + phrase.replaceAll("[A-Z]{2,}", ".+") + ".*";
        assertThat(TEXTS)
                .as("a scenario that says \"%s\"", phrase)
                .anyMatch(text -> text.lines().anyMatch(line -> line.matches(pattern)));
    }

    @Test
    void scenarios_are_written_as_an_update_would_write_them() {
        for (String text : TEXTS) {
            assertThat(TranscriptRun.of(Transcript.parse(text)).text()).isEqualTo(text);
        }
    }
}
