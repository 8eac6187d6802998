package dev.holdfast.transcript;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The scenario files, as they stand in the sources: an update must reach those, not the copies in target. */
final class Scenarios {
    private static final Path FOLDER = Path.of("src", "test", "resources", "scenarios");

    private Scenarios() {}

    static List<Path> files() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("run the tests from the module's folder", e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
