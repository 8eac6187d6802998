package dev.holdfast.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.exit.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The committed reference is every command's help: a golden file of all of them. */
class ReferenceTest {
    private static final Path PAGE = Path.of("../docs/cli-reference.md");

    @Test
    void reference_in_the_docs_is_what_the_commands_say_of_themselves() throws Exception {
        Run run = Run.of("", "reference");
        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(Files.readString(PAGE))
                .as("write it again: ./holdfast reference > docs/cli-reference.md")
                .isEqualTo(run.out());
    }

    @Test
    void every_command_has_an_example() {
        String page = Run.of("", "reference").out();
        for (String section : page.split("\n## ", -1)) {
            boolean below = section.startsWith("holdfast ")
                    && section.lines().findFirst().orElse("").split(" ").length > 2;
            if (section.startsWith("holdfast") && !below && !section.startsWith("holdfast help")) {
                assertThat(section).containsPattern("Examples?:");
            }
        }
    }
}
