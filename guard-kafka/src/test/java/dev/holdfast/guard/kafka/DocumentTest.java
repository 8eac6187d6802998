package dev.holdfast.guard.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Java that the document shows is the code that is tested here. */
@Timeout(60)
class DocumentTest {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Path SOURCES = Path.of("src", "test", "java", "dev", "holdfast", "guard", "kafka");

    @Test
    void every_snippet_of_the_recipe_stands_in_the_tested_code() throws IOException {
        String tested = flat(Files.readString(SOURCES.resolve("FencedProducer.java")))
                + flat(Files.readString(SOURCES.resolve("FencedConsumer.java")));
        List<String> snippets = JAVA.matcher(Files.readString(Path.of("..", "docs", "fencing-kafka.md")))
                .results()
                .map((MatchResult found) -> flat(found.group(1)))
                .toList();
        assertThat(snippets)
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(snippet -> assertThat(tested).contains(snippet));
    }

    /** Without indentation and empty lines: a document begins further to the left. */
    private static String flat(String code) {
        return code.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
