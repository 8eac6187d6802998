package dev.holdfast.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory that is gone at the end, unless it is kept. */
public final class TemporaryDirectory implements AutoCloseable {
    private final Path path;
    private boolean kept;

    private TemporaryDirectory(Path path) {
        this.path = path;
    }

    public static TemporaryDirectory create(String prefix) throws IOException {
        return new TemporaryDirectory(Files.createTempDirectory(prefix));
    }

    public Path path() {
        return path;
    }

    public void keep() {
        kept = true;
    }

    @Override
    public void close() throws IOException {
        if (kept) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
