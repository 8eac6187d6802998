package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Expected output in files under {@code src/test/resources}. {@code -Dholdfast.golden=write} writes what comes out
 * there instead of comparing; look at the difference before you commit it.
 */
public final class Golden {
    private static final Path ROOT = Path.of("src", "test", "resources");

    private Golden() {}

    public static void check(String name, String actual) throws IOException {
        Path file = ROOT.resolve(name);
        if ("write".equals(System.getProperty("holdfast.golden"))) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, actual);
        }
        assertThat(actual)
                .as("%s; after a wanted change run this test with -Dholdfast.golden=write", file)
                .isEqualTo(Files.readString(file));
    }
}
