package dev.holdfast.bench.side.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories with all that is in them. */
final class Directories {
    private Directories() {}

    static void delete(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> found = Files.walk(directory)) {
            deepestFirst = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
