package dev.holdfast.transcript;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays every scenario and compares what comes out with what it says.
 *
 * <p>With {@code -Dholdfast.transcripts.update=true} the indented lines of the files are rewritten instead; read
 * the change before you keep it: the files are the specification.
 */
class ScenarioTest {
    private static final boolean UPDATE = Boolean.getBoolean("holdfast.transcripts.update");

    @TestFactory
    Stream<DynamicTest> scenarios() {
        return Scenarios.files().stream()
                .map(file -> DynamicTest.dynamicTest(
                        file.getFileName().toString().replace(".txt", ""), file.toUri(), () -> play(file)));
    }

    private static void play(Path file) throws IOException {
        String text = Scenarios.read(file);
        TranscriptRun run = TranscriptRun.of(Transcript.parse(text));
        if (UPDATE) {
            if (!run.text().equals(text)) {
                Files.writeString(file, run.text());
            }
        } else if (!run.isAsExpected()) {
            fail(run.differences().stream()
                    .map(difference -> file + ", " + difference.describe())
                    .collect(Collectors.joining("\n", "\n", "")));
        }
    }
}
